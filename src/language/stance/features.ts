import { remembered } from '../memoize.ts'
import { CUE_NAMES, cues, PAIR_NAMES, pairCues, type CuedText, saidWords } from './cues.ts'

/** A text and its sentences' mean vector, float32[384], unit length. `text` is empty if only the vector was kept. */
export interface EmbeddedText {
  readonly text: string
  readonly vector: Float32Array
}

/** A text with its vector, words and cues. */
export const hear = ({ text, vector }: EmbeddedText): CuedText => ({ ...cuesOf(text), vector })

/** The same headline or first post is compared with every reply, so its words and cues are cached. */
const cuesOf = remembered(
  (text) => {
    const said = saidWords(text)
    return { said, cues: cues(said) }
  },
  { most: 4_096, longest: 2_000 },
)

const DIM = 384
/** Indexes of all cues except `quotes`: reposting and quoting are typical of posts, whatever the wording. */
const STYLE = CUE_NAMES.flatMap((name, i) => (name === 'quotes' ? [] : [i]))

export const WIDTHS = {
  reply: CUE_NAMES.length + 2 * PAIR_NAMES.length + 2,
  reply_vector: DIM + 2,
  headline: 3 * CUE_NAMES.length + PAIR_NAMES.length,
  headline_vector: 2 * DIM,
  style: STYLE.length,
} as const

/** A post, the post it answers (`null` if it answers none) and the claim it is compared with. */
export interface Conversation {
  readonly post: CuedText
  readonly parent: CuedText | null
  readonly claim: CuedText | null
}

/** Whether it is the first post, and whether it directly answers the claim. */
const positionFlags = ({ parent, claim }: Conversation): [first: number, direct: number] => [
  parent === null ? 1 : 0,
  parent !== null && parent === claim ? 1 : 0,
]

/** Cues of the post, its features relative to its parent and to the claim, and `positionFlags`. */
export function replyRow(conversation: Conversation): number[] {
  const { post, parent, claim } = conversation
  const toClaim = pairCues(post, claim)
  const toParent = parent === claim ? toClaim : pairCues(post, parent)
  return [...post.cues, ...toParent, ...toClaim, ...positionFlags(conversation)]
}

/** The post's vector and `positionFlags`. */
export function replyVectorRow(conversation: Conversation): Float64Array {
  const { vector } = conversation.post
  const row = new Float64Array(vector.length + 2)
  row.set(vector)
  row.set(positionFlags(conversation), vector.length)
  return row
}

/** Cues of a headline, its features relative to the claim, and how far each cue is above and below the claim's. */
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
    row[vector.length + i] = Math.fround((vector[i] ?? 0) - (claim.vector[i] ?? 0)) // float32, like a stored vector
  }
  return row
}

/** The cues that the headline-or-post classifier uses. */
export const styleRow = (post: CuedText): number[] => STYLE.map((index) => post.cues[index] ?? 0)
