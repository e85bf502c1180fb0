import { dot } from '../vectors.ts'
import { CUE_NAMES } from './cues.ts'
import type { SaidWords } from './said-words.ts'

/** A text beside its vector. */
export interface CuedText {
  readonly said: SaidWords
  readonly vector: Float32Array
  /** As `CUE_NAMES`. */
  readonly cues: readonly number[]
}

/** In the order of `pairCues`. */
export const PAIR_NAMES: readonly string[] = [
  'there',
  'cosine',
  'far',
  'share_of_post',
  'share_of_other',
  'passes_on',
  'same_numbers',
  'other_numbers',
  'longer',
  'both_ask',
  'both_deny',
  'denies_alone',
  'other_denies_alone',
  'not_alone',
  'other_not_alone',
  'other_hedges',
  'same',
]

const yes = (is: boolean): number => (is ? 1 : 0)
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0
  for (const word of a) if (b.has(word)) count += 1
  return count
}
const share = (count: number, of: number): number => (of === 0 ? 0 : count / of)

const place = (name: string): number => CUE_NAMES.indexOf(name)
const AT = { question: place('question'), denial: place('denial'), negation: place('not_so'), hedge: place('hedge') }

/** How a post stands to what it is held against; all 0 where there is nothing. */
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

/** Which of the two asks, denies, negates, hedges. */
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

/** How much of each text's words is in the other one, 0 to 1. */
interface Shares {
  readonly ofPost: number
  readonly ofOther: number
}

function shares(post: SaidWords, other: SaidWords): Shares {
  const both = shared(post.content, other.content)
  return { ofPost: share(both, post.content.size), ofOther: share(both, other.content.size) }
}

const isSame = ({ ofPost, ofOther }: Shares): boolean => ofPost > 0.9 && ofOther > 0.9
