import { remembered } from '../memoize.ts'
import { CUE_NAMES, cues, PAIR_NAMES, pairCues, type CuedText, saidWords } from './cues.ts'

/** A text and its vector, float32[384], unit length: the mean of its sentences. An empty text: only the vector is kept. */
export interface SaidText {
  readonly text: string
  readonly vector: Float32Array
}

export const hear = ({ text, vector }: SaidText): CuedText => ({ ...heardIn(text), vector })

/** A headline and a post that begins a thread are held against every answer: each is taken apart once. */
const heardIn = remembered(
  (text) => {
    const said = saidWords(text)
    return { said, cues: cues(said) }
  },
  { most: 4_096, longest: 2_000 },
)

const DIM = 384
/** Places of the reporting words of a headline: to pass somebody's words on is a custom of posts, whatever the words are. */
const STYLE = CUE_NAMES.flatMap((name, i) => (name === 'quotes' ? [] : [i]))

export const WIDTHS = {
  reply: CUE_NAMES.length + 2 * PAIR_NAMES.length + 2,
  reply_vector: DIM + 2,
  headline: 3 * CUE_NAMES.length + PAIR_NAMES.length,
  headline_vector: 2 * DIM,
  style: STYLE.length,
} as const

/** Answers to a post, in a conversation about a claim; `parent` null: what the conversation began with. */
export interface Conversation {
  readonly post: CuedText
  readonly parent: CuedText | null
  readonly claim: CuedText | null
}

const places = ({ parent, claim }: Conversation): [first: number, direct: number] => [
  parent === null ? 1 : 0,
  parent !== null && parent === claim ? 1 : 0,
]

/** What is said, how it stands to what it answers and to the claim, and where in the conversation. */
export function replyRow(heard: Conversation): number[] {
  const { post, parent, claim } = heard
  const toClaim = pairCues(post, claim)
  const toParent = parent === claim ? toClaim : pairCues(post, parent)
  return [...post.cues, ...toParent, ...toClaim, ...places(heard)]
}

/** The post's vector, and where in the conversation it stands. */
export function replyVectorRow(heard: Conversation): Float64Array {
  const { vector } = heard.post
  const row = new Float64Array(vector.length + 2)
  row.set(vector)
  row.set(places(heard), vector.length)
  return row
}

/** What a headline says, how it stands to the claim, and which cues it has more and less of than the claim. */
export const headlineRow = (post: CuedText, claim: CuedText): number[] => [
  ...post.cues,
  ...pairCues(post, claim),
  ...post.cues.map((cue, i) => Math.max(0, cue - (claim.cues[i] ?? 0))),
  ...post.cues.map((cue, i) => Math.max(0, (claim.cues[i] ?? 0) - cue)),
]

/** The headline's vector, and its difference from the claim's. */
export function headlineVectorRow({ vector }: CuedText, claim: CuedText): Float64Array {
  const row = new Float64Array(2 * vector.length)
  row.set(vector)
  for (let i = 0; i < vector.length; i++) {
    row[vector.length + i] = Math.fround((vector[i] ?? 0) - (claim.vector[i] ?? 0)) // as a vector of its own would be
  }
  return row
}

/** What distinguishes a headline from a statement. */
export const styleRow = (post: CuedText): number[] => STYLE.map((place) => post.cues[place] ?? 0)
