import { fraction, mixBits, mixPair } from './mixing.ts'

/** How a word of a base article is replaced: see `Vocabulary.replacementOf`. */
const WORD_KINDS = ['common', 'opening', 'rare', 'name', 'number'] as const
type WordKind = (typeof WORD_KINDS)[number]

/** A text as numbered words. `after` is the number of the text between a word and the next. */
export interface WordText {
  readonly words: Uint32Array
  readonly after: Uint32Array
  /** The index of the first word of each sentence, and the number of words at the end. */
  readonly starts: Uint32Array
}

/** Words of more than this share of the articles are common to all subjects. */
const COMMON_SHARE = 0.02
/** A word of so few articles stands for several words of a larger world: its vocabulary grows. */
const FEW_ARTICLES = 3
/** The size of a vocabulary grows with this power of the number of articles (Heaps' law). */
const GROWTH = 0.65
/** The share of the names and rare words of an event that occur in no other event. */
const NEW_SHARE = { name: 0.08, rare: 0.02, number: 0 } as const
/** The share of common words that an article replaces by others: its own wording. */
const OWN_WORDING = 0.35
/** The share of an event's names, rare words and numbers that an article replaces by its own. */
const OWN_FACTS = 0.1

/** Makes a second hash from one. */
const OTHER = 0x5bd1e995

const WORD = /[\p{L}\p{N}]+(?:['’][a-z]+)?/gu
const SENTENCE_END = /[.!?\n]/

/** The words of all base articles, by kind and frequency. */
export class Vocabulary {
  private readonly numbers = new Map<string, number>()
  private readonly words: string[] = []
  private readonly gaps: string[] = []
  private readonly gapNumbers = new Map<string, number>()
  /** By word: the number of articles that contain it, and the last of them. */
  private readonly articles: number[] = []
  private readonly lastArticle: number[] = []
  private readonly kinds: WordKind[] = []
  /** All occurrences of a kind's words, so that a random element has the frequency of real texts. */
  private readonly pools: Record<WordKind, Uint32Array> = noPools()
  private variants = 1

  /** Numbers the words of a text. `article` is the same for all texts of an article. */
  read(text: string, article: number): WordText {
    const words: number[] = []
    const after: number[] = []
    const starts = [0]
    const found = [...text.matchAll(WORD)]
    found.forEach((match, i) => {
      const end = match.index + match[0].length
      const gap = text.slice(end, found[i + 1]?.index)
      words.push(this.numberOf(match[0], article))
      after.push(this.gapOf(gap))
      if (SENTENCE_END.test(gap) && i + 1 < found.length) starts.push(i + 1)
    })
    starts.push(words.length)
    return { words: Uint32Array.from(words), after: Uint32Array.from(after), starts: Uint32Array.from(starts) }
  }

  /** Call once all base articles are read. `articles`: the size of the world. */
  complete(
    texts: readonly WordText[],
    { bases, articles }: { readonly bases: number; readonly articles: number },
  ): void {
    this.variants = Math.max(1, Math.round((articles / bases) ** GROWTH))
    const openings = new Set(texts.flatMap(({ words, starts }) => Array.from(starts, (at) => words[at] ?? 0)))
    this.words.forEach((word, i) => {
      this.kinds[i] = this.kindOf(word, (this.articles[i] ?? 0) / bases, openings.has(i))
    })
    const occurrences: Record<WordKind, number[]> = { common: [], opening: [], rare: [], name: [], number: [] }
    for (const { words } of texts) for (const word of words) occurrences[this.kinds[word] ?? 'common'].push(word)
    for (const kind of WORD_KINDS) this.pools[kind] = Uint32Array.from(occurrences[kind])
  }

  /**
   * The word that stands for a word of a base article. Names, rare words and numbers follow from the event, common words
   * from the base article; an article replaces some of either by its own.
   */
  replacementOf(word: number, { event, own }: { readonly event: number; readonly own: number }): string {
    const kind = this.kinds[word] ?? 'common'
    const ownHash = mixPair(own, word)
    if (kind === 'common' || kind === 'opening') {
      return fraction(ownHash) < OWN_WORDING ? this.oneOf(kind, mixBits(ownHash ^ OTHER)) : (this.words[word] ?? '')
    }
    return this.fact(kind, fraction(ownHash) < OWN_FACTS ? mixBits(ownHash ^ OTHER) : mixPair(event, word))
  }

  /** A name, rare word or number of an event. */
  private fact(kind: 'name' | 'rare' | 'number', hash: number): string {
    const isNew = fraction(mixBits(hash ^ OTHER)) < NEW_SHARE[kind]
    if (!isNew) return this.oneOf(kind, hash)
    return kind === 'name' ? capitalise(syllables(hash)) : syllables(hash)
  }

  gap(number: number): string {
    return this.gaps[number] ?? ' '
  }

  /** A word of a kind with the frequency of real texts. */
  private oneOf(kind: WordKind, hash: number): string {
    const pool = this.pools[kind]
    const word = pool[hash % pool.length] ?? 0
    const variant = (this.articles[word] ?? 0) > FEW_ARTICLES || kind === 'number' ? 0 : mixBits(hash) % this.variants
    return `${this.words[word] ?? ''}${variant === 0 ? '' : syllables(variant).slice(0, 3)}`
  }

  private numberOf(word: string, article: number): number {
    const number = numberFor(this.numbers, this.words, word)
    if (this.lastArticle[number] === article) return number
    this.lastArticle[number] = article
    this.articles[number] = (this.articles[number] ?? 0) + 1
    return number
  }

  private gapOf(gap: string): number {
    return numberFor(this.gapNumbers, this.gaps, gap)
  }

  private kindOf(word: string, share: number, opens: boolean): WordKind {
    if (/^\d/.test(word)) return 'number'
    const lower = word.toLowerCase()
    if (word !== lower) return opens && this.numbers.has(lower) ? 'opening' : 'name'
    return share > COMMON_SHARE ? 'common' : 'rare'
  }
}

const noPools = (): Record<WordKind, Uint32Array> => ({
  common: new Uint32Array(),
  opening: new Uint32Array(),
  rare: new Uint32Array(),
  name: new Uint32Array(),
  number: new Uint32Array(),
})

function numberFor(numbers: Map<string, number>, all: string[], text: string): number {
  const known = numbers.get(text)
  if (known !== undefined) return known
  numbers.set(text, all.length)
  all.push(text)
  return all.length - 1
}

const ONSETS = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z', 'br', 'st'] as const
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'or', 'en'] as const

/** A made-up word of three syllables: about two million different ones. */
function syllables(hash: number): string {
  let word = ''
  for (let at = 0; at < 21; at += 7) {
    word += `${ONSETS[(hash >>> at) & 15] ?? ''}${VOWELS[(hash >>> (at + 4)) & 7] ?? ''}`
  }
  return word
}

const capitalise = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
