/** A stop at `stop` to `end` in a sentence that began at `start`. */
export interface Stop {
  readonly start: number
  readonly stop: number
  readonly end: number
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Always followed by what they belong to. */
const NEVER_LAST = words(
  'mr mrs ms mx dr prof rev fr hon pres sen sens rep reps gov govs gen adm col maj capt cmdr lt cpl sgt pvt supt det insp ' +
    'atty messrs mme mlle st mt ft vs v cf eg e.g ie i.e approx al fig figs vol pp ed eds dept univ assn bros ' +
    'herr fräulein dott sig sra srta dra ph.d',
)

/** Followed by a number or a name inside a sentence; by a capital word that often begins one: its end. */
const SOMETIMES_LAST = words(
  'inc corp co ltd llc plc jr sr esq etc u.s u.k u.n e.u u.s.a d.c a.m p.m ph.d m.d b.a m.a jan feb mar apr jun jul aug ' +
    'sep sept oct nov dec mon tue tues wed thu thurs fri sat sun ave blvd rd no nos art sec ch ala ariz ark calif colo ' +
    'conn del fla ga ill ind kan ky la md mass mich minn miss mo mont neb nev okla ore pa tenn tex va vt wash wis wyo',
)

/** Words that often begin a sentence and seldom a name. */
const STARTERS = words(
  'a an the this that these those he she it they we you i his her its their our my in on at by for from with without ' +
    'after before when while as if but and or so yet because since although though however meanwhile there here what who ' +
    'why how where which some many most all no not one two both each every about during under over according also still ' +
    'now then last earlier later asked officials police',
)

const BLANK_LINE = /\n\s*\n/u

/** Does a sentence end at this stop, or is it an abbreviation, an initial, a decimal, a list number, a quoted question? */
export function endsHere(text: string, stop: Stop): boolean {
  const mark = text.slice(stop.stop, stop.end)
  if (mark.includes('\n')) return lineEndsSentence(text, stop, mark)
  if (stop.end >= text.length) return true
  if (/^[。！？｡．]/u.test(mark)) return true

  const next = text.slice(stop.end, stop.end + 40)
  if (!/^\s/u.test(next)) return isGlued(text, stop, next)
  const follower = next.trimStart()
  if (/^\p{Ll}/u.test(follower)) return false
  return !/^\.(?!\.)/u.test(mark) || !isAbbreviation(text, stop, follower)
}

/** A stop without a blank after it: `vote.The mayor` ends one, `3.5`, `U.S.` and `example.com` do not. */
const isGlued = (text: string, stop: Stop, next: string): boolean =>
  /^["“‘]?\p{Lu}\p{Ll}/u.test(next) &&
  /\p{Ll}{2}$|\p{Ll}\p{Nd}?["”’)]$/u.test(text.slice(Math.max(stop.start, stop.stop - 3), stop.stop))

/** The stretch without blanks before the stop; longer ones are no abbreviations. */
const lastWord = (text: string, { start, stop }: Stop): string =>
  /[^\s("“‘'[]{1,20}$/u.exec(text.slice(Math.max(start, stop - 20), stop))?.[0] ?? ''

function isAbbreviation(text: string, stop: Stop, follower: string): boolean {
  const word = lastWord(text, stop)
  const lower = word.toLowerCase()
  const first = /^["“‘'(]?([\p{L}\p{N}]+)/u.exec(follower)?.[1] ?? ''
  if (NEVER_LAST.has(lower)) return true
  if (isListNumber(text, stop, word)) return true
  if (/^\p{Lu}$|(?:^|[.\-])\p{Lu}$/u.test(word) || SOMETIMES_LAST.has(lower))
    return !STARTERS.has(first.toLowerCase()) && goesOn(follower)
  return false
}

/** What may follow an abbreviation inside its sentence: a name or a number, not an opening quote. */
const goesOn = (follower: string): boolean => /^[\p{Lu}\p{N}]/u.test(follower)

/** `1.` or `a)` at the very start of a sentence numbers what follows. */
const isListNumber = (text: string, stop: Stop, word: string): boolean =>
  /^(?:\p{Nd}{1,3}|[A-Za-z]|[ivx]{1,4})$/u.test(word) && text.slice(stop.start, stop.stop).trim() === word

/** A short line without a stop is a heading or a list item; a long one that goes on in lower case was only wrapped. */
function lineEndsSentence(text: string, stop: Stop, mark: string): boolean {
  if (BLANK_LINE.test(mark)) return true
  if (/[.!?…。！？:;"”]$/u.test(text.slice(Math.max(stop.start, stop.stop - 3), stop.stop).trimEnd())) return true

  const lineStart = text.lastIndexOf('\n', stop.stop - 1) + 1
  const isShort = stop.stop - Math.max(lineStart, stop.start) < 50
  const goesOnInside = /^\p{Ll}/u.test(text.slice(stop.end, stop.end + 2))
  return !goesOnInside && (isShort || /^(?:[-*•·–—▪]|\p{Nd}{1,3}[.)])/u.test(text.slice(stop.end, stop.end + 6)))
}
