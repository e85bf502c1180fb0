import { wordList, patternsByName } from '../model-files.ts'
import { dot } from '../vectors.ts'
import { wordTokens } from '../word-tokens.ts'

/** The words of a text, without and with what it quotes. */
interface SaidWords {
  /** The text without quotations, links and the names of the people it is addressed to. */
  readonly own: string
  /** Lower-case words of `own`, apostrophes straight. */
  readonly words: readonly string[]
  /** Content words of the whole text, including those of hashtags. */
  readonly content: ReadonlySet<string>
  /** The numbers in `content`. */
  readonly numbers: ReadonlySet<string>
  /** Whether it contains somebody else's words: a quotation, a repost or quoted lines. */
  readonly quotes: boolean
}

/** Maximum number of characters that are read, so that a very long text costs as little as a post. */
const MAX_CHARS = 2_000
const LINK = /\bhttps?:\/\/\S+|\bwww\.\S+/gu
const MENTION = /(?<![\p{L}\p{N}])@[\w.-]*\w|(?<![\p{L}\p{N}])\/?u\/[\w-]+/gu
const HASHTAG = /(?<![\p{L}\p{N}])#(?=[\p{L}\p{N}])/gu
/** "“@name: ...”", "RT @name ...", and lines that begin with ">". */
const QUOTED = /["“]\s?@\w+:?[^"”]*["”]?|\b(?:RT|MT)\s*:?\s*@\w+:?.*|^\s*>.*$/gmu
/** Words that most texts contain. */
const COMMON = wordList('stance/common-words')

export function saidWords(text: string): SaidWords {
  const read = text.slice(0, MAX_CHARS).replaceAll('’', "'")
  const bare = read.replace(LINK, ' ').replace(MENTION, ' ').replace(HASHTAG, ' ')
  const unquoted = read.replace(QUOTED, ' ')
  const own = unquoted.replace(LINK, ' ').replace(MENTION, ' ').replace(HASHTAG, ' ').replace(/\s+/gu, ' ').trim()
  const content = new Set(wordTokens(bare.toLowerCase()).filter((word) => !COMMON.has(word)))
  return {
    own,
    words: wordTokens(own.toLowerCase()),
    content,
    numbers: new Set([...content].filter((word) => /^\p{N}+$/u.test(word))),
    quotes: unquoted.length < read.length,
  }
}

/** Patterns that show the stance of a text; each is present or not. */
const PATTERNS = patternsByName('stance-cues')

/** Names of the values of `cues`, in order. */
export const CUE_NAMES: readonly string[] = [
  ...PATTERNS.map(([name]) => name),
  ...['question', 'ends_in_question', 'questions', 'exclamation', 'exclamations', 'ellipsis', 'emoji'],
  ...['quotation_mark', 'capitals', 'title_case', 'length', 'short', 'empty', 'numbers', 'quotes', 'full_stop'],
]

const part = (count: number, of: number): number => (of === 0 ? 0 : count / of)
const flag = (is: boolean): number => (is ? 1 : 0)

/** The values of `CUE_NAMES`, each from 0 to about 1. */
export function cues(said: SaidWords): number[] {
  const { own, words } = said
  const lower = own.toLowerCase()
  return [
    ...PATTERNS.map(([, pattern]) => flag(pattern.test(lower))),
    flag(own.includes('?')),
    flag(/\?[\s"'”)!.]*$/u.test(own)),
    Math.min(3, own.split('?').length - 1) / 3,
    flag(own.includes('!')),
    Math.min(3, own.split('!').length - 1) / 3,
    flag(/\.\.|…/u.test(own)),
    flag(/\p{Extended_Pictographic}/u.test(own)),
    flag(/["“”]/u.test(own)),
    ...shape(own),
    Math.min(1, Math.log1p(words.length) / Math.log(60)),
    flag(words.length <= 3),
    flag(words.length === 0),
    Math.min(3, said.numbers.size) / 3,
    flag(said.quotes),
    flag(/[.]\s*$/u.test(own)),
  ]
}

/** Share of words in capitals, and share of words that begin with a capital. */
function shape(own: string): [capitals: number, titleCase: number] {
  const words = own.split(' ').filter((word) => /\p{L}{2}/u.test(word))
  return [
    part(words.filter((word) => word.length > 2 && word === word.toUpperCase()).length, words.length),
    part(words.filter((word) => /^\P{L}*\p{Lu}/u.test(word)).length, words.length),
  ]
}

/** A text with its vector. */
export interface CuedText {
  readonly said: SaidWords
  readonly vector: Float32Array
  /** In the order of `CUE_NAMES`. */
  readonly cues: readonly number[]
}

/** Names of the values of `pairCues`, in order. */
export const PAIR_NAMES: readonly string[] = [
  ...['there', 'cosine', 'far', 'share_of_post', 'share_of_other', 'passes_on', 'same_numbers', 'other_numbers'],
  ...['longer', 'both_ask', 'both_deny', 'denies_alone', 'other_denies_alone', 'not_alone', 'other_not_alone'],
  ...['other_hedges', 'same'],
]

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0
  for (const word of a) if (b.has(word)) count += 1
  return count
}

const index = (name: string): number => CUE_NAMES.indexOf(name)
const AT = { question: index('question'), denial: index('denial'), negation: index('not_so'), hedge: index('hedge') }

/** Features of a post relative to another text; all 0 if there is none. */
export function pairCues(post: CuedText, other: CuedText | null): number[] {
  if (other === null) return PAIR_NAMES.map(() => 0)
  const both = shares(post.said, other.said)
  return [1, ...similarity(post, other, both), ...difference(post.cues, other.cues), flag(isSame(both))]
}

function similarity({ said, vector }: CuedText, other: CuedText, { ofPost, ofOther }: Shares): number[] {
  const cosine = dot(vector, other.vector)
  const numbers = shared(said.numbers, other.said.numbers)
  return [
    cosine,
    Math.max(0, 0.3 - cosine),
    ofPost,
    ofOther,
    flag(ofOther > 0.6),
    flag(numbers > 0),
    flag(said.numbers.size > numbers && other.said.numbers.size > numbers),
    Math.tanh(said.words.length / (1 + other.said.words.length) - 1),
  ]
}

/** Which of the two texts asks, denies, negates or hedges. */
function difference(cues: readonly number[], other: readonly number[]): number[] {
  const both = (at: number): number => flag(has(cues, at) && has(other, at))
  const onlyPost = (at: number): number => flag(has(cues, at) && !has(other, at))
  const onlyOther = (at: number): number => flag(!has(cues, at) && has(other, at))
  return [
    both(AT.question),
    both(AT.denial),
    onlyPost(AT.denial),
    onlyOther(AT.denial),
    onlyPost(AT.negation),
    onlyOther(AT.negation),
    flag(has(other, AT.hedge)),
  ]
}

const has = (cues: readonly number[], at: number): boolean => (cues[at] ?? 0) > 0

type Shares = ReturnType<typeof shares>

/** Share of each text's words that the other one contains, 0 to 1. */
function shares(post: SaidWords, other: SaidWords) {
  const both = shared(post.content, other.content)
  return { ofPost: part(both, post.content.size), ofOther: part(both, other.content.size) }
}

const isSame = ({ ofPost, ofOther }: Shares): boolean => ofPost > 0.9 && ofOther > 0.9
