/** Words that do not distinguish events: function words, and words common to all reports. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again against all also am an and any are as at be because been before being below between ' +
    'both but by can could did do does doing down during each few for from further get had has have having he her ' +
    'here hers him his how i if in into is it its just like made make many may me might more most much must my no ' +
    'nor not now of off on once one only or other our out over own per said same say says she should so some such ' +
    'than that the their them then there these they this those through to too under until up us very was we were ' +
    'what when where which while who whom why will with would yet you your mr mrs ms new news told according year ' +
    'years day week two first last time people monday tuesday wednesday thursday friday saturday sunday'
  ).split(' '),
)

const WORD = /[\p{L}\p{N}]+(?:['’][a-z]+)?/gu

/** Content words of a text, lower case and stemmed, in order. */
export function tokens(text: string): string[] {
  const found: string[] = []
  for (const word of text.toLowerCase().match(WORD) ?? []) {
    const bare = beforeApostrophe(word)
    if (bare.length >= 2 && !STOP_WORDS.has(bare)) found.push(stem(bare))
  }
  return found
}

function beforeApostrophe(word: string): string {
  const cut = word.includes("'") ? word.indexOf("'") : word.indexOf('’')
  return cut < 0 ? word : word.slice(0, cut)
}

/** A light English stemmer: plural, -ing, -ed, final e. Light, so that names stay intact. */
export function stem(word: string): string {
  if (word.length <= 3) return word
  const verb = withoutVerbEnding(singular(word))
  return verb.length > 4 && verb.endsWith('e') ? verb.slice(0, -1) : verb
}

function singular(word: string): string {
  if (!word.endsWith('s')) return word // most words: faster than a pattern
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2)
  return !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

function withoutVerbEnding(word: string): string {
  if (word.length > 6 && word.endsWith('ing')) return word.slice(0, -3)
  return word.length > 5 && word.endsWith('ed') ? word.slice(0, -2) : word
}

/** The first `count` words, split at white space. */
export function firstWords(text: string, count: number): string {
  const words = /\S+/g
  for (let i = 0; i < count; i++) if (words.exec(text) === null) return text
  return text.slice(0, words.lastIndex)
}

/** Whether the text has at least `count` words. */
export function hasWords(text: string, count: number): boolean {
  const words = /\S+/g
  for (let i = 0; i < count; i++) if (words.exec(text) === null) return false
  return true
}
