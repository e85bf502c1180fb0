import { wordList, patternsByName } from '../model-files.ts'
import { dot } from '../vectors.ts'
import { wordTokens } from '../word-tokens.ts'

/** A text, separated into what its author says and what is quoted. */
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

/** Only this many characters are read, so that a very long text costs as little as a post. */
const READ = 2_000
const LINK = /\bhttps?:\/\/\S+|\bwww\.\S+/gu
const MENTION = /(?<![\p{L}\p{N}])@[\w.-]*\w|(?<![\p{L}\p{N}])\/?u\/[\w-]+/gu
const HASHTAG = /(?<![\p{L}\p{N}])#(?=[\p{L}\p{N}])/gu
/** "“@name: ...”", "RT @name ...", and lines that begin with ">". */
const QUOTED = /["“]\s?@\w+:?[^"”]*["”]?|\b(?:RT|MT)\s*:?\s*@\w+:?.*|^\s*>.*$/gmu
/** Words that most texts contain. */
const COMMON = wordList('stance/common-words')

export function saidWords(text: string): SaidWords {
  const read = text.slice(0, READ).replaceAll('’', "'")
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

/** In the order of `cues`. */
export const CUE_NAMES: readonly string[] = [
  ...PATTERNS.map(([name]) => name),
  ...['question', 'ends_in_question', 'questions', 'exclamation', 'exclamations', 'ellipsis', 'emoji'],
  ...['quotation_mark', 'capitals', 'title_case', 'length', 'short', 'empty', 'numbers', 'quotes', 'full_stop'],
]

const part = (count: number, of: number): number => (of === 0 ? 0 : count / of)
const yes = (is: boolean): number => (is ? 1 : 0)

/** Each from 0 to about 1. */
export function cues(said: SaidWords): number[] {
  const { own, words } = said
  const lower = own.toLowerCase()
  return [
    ...PATTERNS.map(([, pattern]) => yes(pattern.test(lower))),
    yes(own.includes('?')),
    yes(/\?[\s"'”)!.]*$/u.test(own)),
    Math.min(3, own.split('?').length - 1) / 3,
    yes(own.includes('!')),
    Math.min(3, own.split('!').length - 1) / 3,
    yes(/\.\.|…/u.test(own)),
    yes(/\p{Extended_Pictographic}/u.test(own)),
    yes(/["“”]/u.test(own)),
    ...shape(own),
    Math.min(1, Math.log1p(words.length) / Math.log(60)),
    yes(words.length <= 3),
    yes(words.length === 0),
    Math.min(3, said.numbers.size) / 3,
    yes(said.quotes),
    yes(/[.]\s*$/u.test(own)),
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
  /** As `CUE_NAMES`. */
  readonly cues: readonly number[]
}

/** In the order of `pairCues`. */
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

const place = (name: string): number => CUE_NAMES.indexOf(name)
const AT = { question: place('question'), denial: place('denial'), negation: place('not_so'), hedge: place('hedge') }

/** Features of a post relative to another text; all 0 if there is none. */
export function pairCues(post: CuedText, other: CuedText | null): number[] {
  if (other === null) return PAIR_NAMES.map(() => 0)
  const both = shares(post.said, other.said)
  return [1, ...likeness(post, other, both), ...difference(post.cues, other.cues), yes(isSame(both))]
}

function likeness({ said, vector }: CuedText, other: CuedText, { ofPost, ofOther }: Shares): number[] {
  const cosine = dot(vector, other.vector)
  const numbers = shared(said.numbers, other.said.numbers)
  return [
    cosine,
    Math.max(0, 0.3 - cosine),
    ofPost,
    ofOther,
    yes(ofOther > 0.6),
    yes(numbers > 0),
    yes(said.numbers.size > numbers && other.said.numbers.size > numbers),
    Math.tanh(said.words.length / (1 + other.said.words.length) - 1),
  ]
}

/** Which of the two texts asks, denies, negates or hedges. */
function difference(cues: readonly number[], other: readonly number[]): number[] {
  const both = (at: number): number => yes(has(cues, at) && has(other, at))
  const alone = (at: number): number => yes(has(cues, at) && !has(other, at))
  const otherAlone = (at: number): number => yes(!has(cues, at) && has(other, at))
  return [
    both(AT.question),
    both(AT.denial),
    alone(AT.denial),
    otherAlone(AT.denial),
    alone(AT.negation),
    otherAlone(AT.negation),
    yes(has(other, AT.hedge)),
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
