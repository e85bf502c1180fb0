import { COMMON_WORDS } from './common-words.ts'

const WORD = /[\p{L}\p{N}]+(?:['’][a-z]+)?/gu

/** Different words of a title, in lower case and without a genitive ending. */
export function wordsOf(title: string): ReadonlySet<string> {
  const words = [...title.toLowerCase().matchAll(WORD)].map(([word]) => word.split(/['’]/u)[0] ?? '')
  return new Set(words.filter(({ length }) => length >= 2))
}

/** log2 of the stories that the common words were counted in. */
const ALL = 12.7
/** log2 of how many stories a word is taken to stand in that is not common. */
const RARE = 3.9

const standsIn = new Map(
  COMMON_WORDS.flatMap(([power, words]) => words.split(' ').map((word) => [word, power] as const)),
)

/** By word: how much it says of a story, as a unit vector. Words are in one order, so that sums are the same. */
export type TitleWords = ReadonlyMap<string, number>

/** `counts`: by word, in how many titles of a story it stands, of so many articles. */
export function titleWords(counts: ReadonlyMap<string, number>, articles: number): TitleWords {
  const weights = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, titles]) => [word, Math.sqrt(titles / articles) * (ALL - (standsIn.get(word) ?? RARE))] as const)
  const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0))
  return new Map(weights.map(([word, weight]) => [word, weight / length]))
}

export function countWords(titles: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const title of titles) for (const word of wordsOf(title)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Cosine, the same from both sides; 0 where one of them has no words. */
export function sharedWords(a: TitleWords, b: TitleWords): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a] // the common words come in the same order in both
  let product = 0
  for (const [word, weight] of few) product += weight * (many.get(word) ?? 0)
  return product
}
