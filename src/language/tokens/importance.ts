import type { TokenCandidate, TokenMention } from './candidates.ts'
import type { Tag } from './part-of-speech.ts'
import type { TokenVocabulary } from './vocabulary.ts'

/** How much a part of speech says of what an article is about; a name that the recogniser knows says most. */
const BY_TAG: Partial<Readonly<Record<Tag, number>>> = { PROPN: 1.1, NOUN: 1, X: 1, ADJ: 0.7, VERB: 0.7, NUM: 0.45 }
const NAMED = 1.3

/** The commonest name of all still counts this much, the commonest word that. */
const LEAST_RARITY = { name: 0.4, word: 0.1 } as const

const IN_TITLE = 1.6
/** After this many words of the body a first mention counts half of one at its beginning. */
const HALF_WAY = 220

/**
 * How much a word says of what its article is about: kind x rarity x (1 + ln mentions) x place, above 0. More mentions,
 * an earlier first one, one in the title, a rarer word: never less.
 */
export function weight(candidate: TokenCandidate, language: string, vocabulary: TokenVocabulary): number {
  const { mentions } = candidate
  return kind(mentions) * rarity(candidate, language, vocabulary) * (1 + Math.log(mentions.length)) * place(mentions)
}

function kind(mentions: readonly TokenMention[]): number {
  let most = 0
  for (const { type, tag } of mentions) most = Math.max(most, type === 'O' ? (BY_TAG[tag] ?? 0.5) : NAMED)
  return most
}

function rarity({ key, mentions }: TokenCandidate, language: string, vocabulary: TokenVocabulary): number {
  if (mentions.some(({ name }) => name)) return above(LEAST_RARITY.name, vocabulary.nameRarity(key))
  return above(LEAST_RARITY.word, language === 'en' ? vocabulary.wordRarity(key) : lengthRarity(key))
}

const above = (least: number, rarity: number): number => least + (1 - least) * rarity

/** Where nothing has been counted: the longer, the rarer (Zipf's law of abbreviation); a Chinese word has two characters. */
const lengthRarity = (word: string): number => (word.charCodeAt(0) >= 0x0e00 ? 0.8 : Math.min(1, word.length / 9))

function place(mentions: readonly TokenMention[]): number {
  let best = 0
  for (const { part, start } of mentions) best = Math.max(best, placeOf(part, start))
  return best
}

function placeOf({ sentence, before, words }: TokenMention['part'], start: number): number {
  if (sentence < 0) return IN_TITLE
  let word = 0
  while ((words[word]?.start ?? Infinity) < start) word++
  return 1 - 0.5 * Math.min(1, (before + word) / HALF_WAY)
}
