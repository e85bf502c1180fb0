const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Words before a person's name that are not part of it; compared in lower case, without a full stop. */
export const TITLES: ReadonlySet<string> = list(
  `mr mrs ms miss mx dr doctor prof professor sir dame lord lady baron baroness count countess duke duchess prince
  princess king queen emperor empress sheikh sheik shaikh sultan emir ayatollah imam mullah rabbi rev reverend father
  fr bishop archbishop cardinal pope pastor saint president vice premier chancellor prime minister ministers secretary adviser advisor strategist
  undersecretary spokesman spokeswoman spokesperson senator sen sens representative rep reps congressman congresswoman
  governor gov govs mayor councilman councilwoman councillor alderman delegate ambassador consul envoy judge justice
  magistrate attorney atty lawyer prosecutor sheriff deputy detective inspector constable officer chief commissioner
  superintendent general gen lieutenant lt colonel col major maj captain capt commander cmdr sergeant sgt corporal cpl
  private pvt admiral adm marshal brigadier maestro coach captain manager director chairman chairwoman chair chairperson
  ceo cfo editor author singer actor actress comedian footballer striker midfielder candidate nominee democrat
  republican leader speaker whip mp mep msp dictator warlord lawmaker analyst economist aide madam madame monsieur herr
  señor senor comrade hon honourable honorable former ex then acting interim late`,
)

/** Words that make a longer title with one of those: "National Security Adviser", "House Speaker", "Attorney General". */
export const TITLE_PARTS: ReadonlySet<string> = list(
  `prime vice foreign finance interior defense defence state attorney lieutenant chief deputy house senate majority
  minority supreme court justice crown first special counsel press white treasury home us u s national security
  intelligence executive presidential vice- federal district county police army air force opposition party labour
  labor conservative democratic republican gop former and of the - .`,
)

/** Titles that say whether a man or a woman follows. */
export const SEX_OF_TITLE: ReadonlyMap<string, 'f' | 'm'> = new Map([
  ...[
    ...list(`mr mister sir lord baron count duke prince king emperor sultan emir father fr cardinal pope
      imam ayatollah mullah sheikh monsieur herr señor spokesman congressman councilman chairman`),
  ].map((title) => [title, 'm'] as const),
  ...[
    ...list(`mrs ms miss madam madame dame lady baroness countess duchess princess queen empress señora frau
      spokeswoman congresswoman councilwoman chairwoman actress`),
  ].map((title) => [title, 'f'] as const),
])

/** Offices that one of two namesakes holds: "Sen. Kennedy" is the senator. The long form of a short one is its value. */
export const ROLES: ReadonlyMap<string, string> = new Map([
  ...[
    ...list(`senator representative congressman congresswoman governor mayor judge justice general colonel major captain
      lieutenant sergeant admiral sheriff detective officer professor doctor ambassador minister chancellor premier
      bishop archbishop cardinal pope king queen prince princess councilman councilwoman prosecutor attorney coach`),
  ].map((role) => [role, role] as const),
  ['sen', 'senator'],
  ['sens', 'senator'],
  ['rep', 'representative'],
  ['reps', 'representative'],
  ['gov', 'governor'],
  ['gen', 'general'],
  ['col', 'colonel'],
  ['maj', 'major'],
  ['capt', 'captain'],
  ['lt', 'lieutenant'],
  ['sgt', 'sergeant'],
  ['adm', 'admiral'],
  ['prof', 'professor'],
  ['dr', 'doctor'],
  ['atty', 'attorney'],
])
