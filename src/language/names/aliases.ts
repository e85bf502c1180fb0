import type { EntityType } from '../../events/articles.ts'
import { remembered } from '../remembered.ts'

/** One line a name: type, the name we keep, what else it is called. Places have their aliases in `models/places`. */
const ALIASES = `ORG|Republican Party|GOP|Republicans|Republican National Party|Grand Old Party|US Republican Party
ORG|Democratic Party|Democrat Party|Democrats
ORG|Republican National Committee|RNC
ORG|Democratic National Committee|DNC
ORG|United Nations|UN|U.N.|United Nations Organization
ORG|UN Security Council|United Nations Security Council|U.N. Security Council
ORG|European Union|EU|E.U.
ORG|NATO|North Atlantic Treaty Organization|North Atlantic Treaty Organisation|Nato
ORG|FBI|Federal Bureau of Investigation|F.B.I.
ORG|CIA|Central Intelligence Agency|C.I.A.
ORG|NSA|National Security Agency|N.S.A.
ORG|IRS|Internal Revenue Service|I.R.S.
ORG|EPA|Environmental Protection Agency|E.P.A.
ORG|FDA|Food and Drug Administration|F.D.A.
ORG|CDC|Centers for Disease Control and Prevention|Centers for Disease Control|C.D.C.
ORG|ICE|Immigration and Customs Enforcement|US Immigration and Customs Enforcement|U.S. Immigration and Customs Enforcement|I.C.E.
ORG|Department of Homeland Security|DHS|Homeland Security|Homeland Security Department|D.H.S.
ORG|Department of Justice|DOJ|Justice Department|US Department of Justice|U.S. Department of Justice|U.S. Justice Department
ORG|Department of Defense|Defense Department|Pentagon|U.S. Department of Defense|US Department of Defense
ORG|Department of State|State Department|US State Department|U.S. State Department|U.S. Department of State
ORG|Department of the Treasury|Treasury Department|Treasury|U.S. Treasury|US Treasury
ORG|Supreme Court|US Supreme Court|U.S. Supreme Court|SCOTUS|Supreme Court of the United States
ORG|House of Representatives|US House of Representatives|U.S. House of Representatives|U.S. House|US House
ORG|Senate|US Senate|U.S. Senate|United States Senate
ORG|Congress|US Congress|U.S. Congress|United States Congress
ORG|White House|The White House
ORG|Federal Reserve|Fed|US Federal Reserve|U.S. Federal Reserve|Federal Reserve Board
ORG|Islamic State|ISIS|ISIL|IS|Daesh|Islamic State of Iraq and Syria|Islamic State of Iraq and the Levant
ORG|al-Qaeda|Al Qaeda|al Qaeda|Al-Qaeda|al-Qaida|Al-Qaida|al Qaida
ORG|World Health Organization|WHO|W.H.O.|World Health Organisation
ORG|International Monetary Fund|IMF|I.M.F.
ORG|World Trade Organization|WTO|World Trade Organisation
ORG|World Bank|World Bank Group
ORG|International Atomic Energy Agency|IAEA
ORG|African Union|AU
ORG|European Central Bank|ECB
ORG|ACLU|American Civil Liberties Union|A.C.L.U.
ORG|NRA|National Rifle Association|N.R.A.
ORG|NAACP|National Association for the Advancement of Colored People
ORG|BBC|British Broadcasting Corporation|B.B.C.
ORG|CNN|Cable News Network
ORG|Associated Press|AP|The Associated Press|A.P.
ORG|New York Times|The New York Times|NYT|NY Times
ORG|Washington Post|The Washington Post|WaPo
ORG|Wall Street Journal|The Wall Street Journal|WSJ
ORG|Fox News|Fox News Channel|FNC
ORG|Twitter|Twitter Inc
ORG|Ku Klux Klan|KKK
ORG|OPEC|Organization of the Petroleum Exporting Countries|Opec
ORG|NASA|National Aeronautics and Space Administration|Nasa
PERSON|Donald Trump|Donald J. Trump|Donald John Trump
PERSON|Barack Obama|Barack H. Obama|Barack Hussein Obama
PERSON|Hillary Clinton|Hillary Rodham Clinton
PERSON|Joe Biden|Joseph Biden|Joseph R. Biden|Joseph R. Biden Jr.|Joe R. Biden
PERSON|Bernie Sanders|Bernard Sanders
PERSON|Mike Pence|Michael Pence
PERSON|Robert Mueller|Robert S. Mueller|Robert S. Mueller III|Robert Mueller III|Bob Mueller
PERSON|James Comey|James B. Comey|James B. Comey Jr.|Jim Comey
PERSON|Brett Kavanaugh|Brett M. Kavanaugh
PERSON|Jeff Sessions|Jefferson Sessions|Jefferson B. Sessions|Jeff B. Sessions III
PERSON|Vladimir Putin|Vladimir V. Putin
PERSON|Kim Jong Un|Kim Jong-un|Kim Jong-Un
PERSON|Xi Jinping|Xi Jin-ping
PERSON|Bashar al-Assad|Bashar Assad|Bashar al Assad
PERSON|Recep Tayyip Erdogan|Recep Tayyip Erdoğan|Tayyip Erdogan
PERSON|Benjamin Netanyahu|Binyamin Netanyahu|Bibi Netanyahu
EVENT|World War II|Second World War|World War Two|WWII|WW2
EVENT|World War I|First World War|World War One|WWI
EVENT|Super Bowl|Superbowl`

const TYPES: readonly EntityType[] = ['PERSON', 'ORG', 'EVENT']

/** Letters and digits in lower case, signs between them one blank, stops of abbreviations dropped: "U.N." is "un". */
export const nameKey = remembered((name) =>
  name
    .toLowerCase()
    .replace(/(?<=\p{L})\.(?=\p{L}|$|\s)/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim(),
)

function table(): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const line of ALIASES.split('\n')) {
    const [type = '', name = '', ...aliases] = line.split('|')
    if (!TYPES.some((each) => each === type)) throw new Error(`An alias has the unknown type ${type}`)
    for (const each of [name, ...aliases]) names.set(`${type} ${nameKey(each)}`, name)
  }
  return names
}

const NAMES = table()

/** Names of several words or of capitals alone are one thing everywhere: "White House" is never a place here. */
const TYPE_OF: ReadonlyMap<string, EntityType> = new Map(
  [...NAMES.keys()].flatMap((key) => {
    const [type = '', ...words] = key.split(' ')
    const known = TYPES.find((each) => each === type)
    return known !== undefined && words.length > 1 ? [[words.join(' '), known] as const] : []
  }),
)

/** The one type of a name that the alias map holds with two words or more; undefined for all else. */
export const fixedType = (name: string): EntityType | undefined => TYPE_OF.get(nameKey(name))

/** The name kept for what the alias map knows; undefined for all else. */
export const aliasOf = (type: EntityType, name: string): string | undefined => NAMES.get(`${type} ${nameKey(name)}`)
