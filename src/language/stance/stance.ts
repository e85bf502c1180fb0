import { z } from 'zod'
import { patternIn } from '../model-files.ts'
import { logits, softmax } from '../vectors.ts'
import {
  WIDTHS,
  type Conversation,
  headlineRow,
  headlineVectorRow,
  hear,
  replyRow,
  replyVectorRow,
  type EmbeddedText,
  styleRow,
} from './features.ts'
import type { CuedText } from './cues.ts'

export const STANCES = ['support', 'deny', 'query', 'comment'] as const
export type Stance = (typeof STANCES)[number]

/** A post, and what it responds to. */
export interface StanceInput {
  readonly post: EmbeddedText
  /** The text that the post answers; `null` if there is none or it is unknown. */
  readonly parent: EmbeddedText | null
  /**
   * The claim that the post is compared with: a story's headline and its articles' mean vector, or the first post of
   * its thread.
   */
  readonly claim: EmbeddedText | null
}

interface StanceResult {
  /** The best stance under the costs that the model was tuned with; not always the one with the highest probability. */
  readonly stance: Stance
  /** Each 0 to 1; they sum to 1. */
  readonly probabilities: Readonly<Record<Stance, number>>
}

/** The stance a post takes towards a claim (RumourEval, Derczynski et al. 2017). Pure. */
export interface StanceModel {
  /** Name and hash of the weights. */
  readonly name: string
  readonly stanceOf: (input: StanceInput) => StanceResult
}

const DENIES = patternIn('stance/denies')
const AFFIRMS = patternIn('stance/affirms')
/** Negations that reverse an affirmation: "It's not a hoax", "nobody confirmed it". */
const NEGATIONS = /\b(?:not|no|never|n't|isn't|wasn't|nobody|nothing|without|if)\b/

/**
 * Whether a post explicitly calls its subject true or untrue; `null` if it does not, asks a question, or negates it.
 * Labelled conversations have too few such posts for a model to learn from.
 */
export function explicitStance(text: string): 'support' | 'deny' | null {
  const said = text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/^(?:@\w+[:,]?\s+)+/, '')
  if (said.includes('?')) return null
  const denies = DENIES.test(said) && !/\b(?:not|isn't|no) (?:a |an )?(?:fake|hoax|lie)\b/.test(said)
  if (denies) return 'deny'
  return AFFIRMS.test(said) && !NEGATIONS.test(said) ? 'support' : null
}

/**
 * The stance of a headline towards a claim: `support`, `deny`, or `comment` if it reports the claim without taking a
 * side.
 */
const HEADLINE_STANCES = ['support', 'deny', 'comment'] as const

const layer = (rows: number, width: number) =>
  z.object({
    bias: z.array(z.number()).length(rows),
    /** One row per class, in the order of the features. */
    weights: z.array(z.array(z.number()).length(width)).length(rows),
  })

const head = (rows: number, cues: number, vector: number) =>
  z.object({
    cues: layer(rows, cues),
    vector: layer(rows, vector),
    /** Added to the log probabilities before the maximum is chosen; compensates for rare classes. */
    costs: z.array(z.number()).length(rows),
  })

const File = z.object({
  /** The encoder whose vectors the weights were trained on. */
  encoder: z.string(),
  /** Threads and claims used for training: figures measured on these do not generalise. */
  learned: z.array(z.string()),
  reply: head(STANCES.length, WIDTHS.reply, WIDTHS.reply_vector),
  headline: head(HEADLINE_STANCES.length, WIDTHS.headline, WIDTHS.headline_vector),
  /** Whether a text is worded as a headline or as a spoken remark. Classes: other, headline. */
  style: layer(2, WIDTHS.style),
})

export type StanceWeights = z.infer<typeof File>
export type StanceLayer = StanceWeights['style']
export type Head = StanceWeights['reply']

/** Parses `models/stance/weights.json`. */
export const parseStanceWeights = (json: string): StanceWeights => File.parse(JSON.parse(json))

/** Probabilities of the stances, in the order of `STANCES`: as predicted, and weighted by the cost of each mistake. */
export interface Chances {
  readonly plain: readonly number[]
  readonly weighed: readonly number[]
}

export interface LearnedStance extends StanceModel {
  /** Threads and claims used for training. */
  readonly learned: ReadonlySet<string>
}

/**
 * Predicts the stance with two linear models: one trained on conversations, one on headlines that report a claim. A
 * post that answers no other post is compared with the story's headline by both, weighted by how much it is worded like
 * a headline.
 */
export const linearStance = (name: string, weights: StanceWeights): LearnedStance => ({
  name,
  learned: new Set(weights.learned),
  stanceOf: (input) => resultOf(withExplicitStance(chancesOf(weights, input), input.post.text)),
})

function chancesOf(weights: StanceWeights, { post, parent, claim }: StanceInput): Chances {
  const postCues = hear(post)
  const claimCues = claim === null ? null : hear(claim)
  const parentCues = parent === null ? null : isSame(parent, claim) ? claimCues : hear(parent)
  if (parentCues !== null || claimCues === null)
    return replyChances(weights, { post: postCues, parent: parentCues, claim: claimCues ?? parentCues })
  return mixed(
    replyChances(weights, { post: postCues, parent: claimCues, claim: claimCues }),
    headlineChances(weights, postCues, claimCues),
    headlineShare(weights, postCues),
  )
}

/** How much likelier an explicitly stated stance becomes. Chosen by hand, because labelled sets have few of these. */
const EXPLICIT_FACTOR = 4

function withExplicitStance(chances: Chances, text: string): Chances {
  const stance = explicitStance(text)
  if (stance === null) return chances
  const at = STANCES.indexOf(stance)
  return each(chances, (some) => {
    const weighed = some.map((chance, i) => (i === at ? chance * EXPLICIT_FACTOR : chance))
    const all = weighed.reduce((sum, chance) => sum + chance, 0)
    return weighed.map((chance) => chance / all)
  })
}

const each = ({ plain, weighed }: Chances, change: (some: readonly number[]) => readonly number[]): Chances => ({
  plain: change(plain),
  weighed: change(weighed),
})

/** Whether the answered post is also the claim, as for the first post of a thread. */
const isSame = (a: StanceInput['post'], b: StanceInput['claim']): boolean =>
  a === b || (b !== null && a.text === b.text && a.text !== '')

export const replyChances = ({ reply }: StanceWeights, conversation: Conversation): Chances =>
  chances(reply, { cues: replyRow(conversation), vector: replyVectorRow(conversation) })

/** The probability of `query` is 0, because a headline never asks. */
export function headlineChances({ headline }: StanceWeights, post: CuedText, claim: CuedText): Chances {
  const of = chances(headline, { cues: headlineRow(post, claim), vector: headlineVectorRow(post, claim) })
  return each(of, (some) => STANCES.map((stance) => some[(HEADLINE_STANCES as readonly string[]).indexOf(stance)] ?? 0))
}

/** How much a text is worded like a headline, 0 to 1. */
export const headlineShare = ({ style }: StanceWeights, post: CuedText): number =>
  softmax(logits(style, styleRow(post)))[1] ?? 0

/** Combines the predictions from words and vector with equal weight: their geometric mean. */
function chances(
  { cues, vector, costs }: Head,
  rows: { readonly cues: ArrayLike<number>; readonly vector: ArrayLike<number> },
): Chances {
  const byVector = logits(vector, rows.vector)
  const sums = logits(cues, rows.cues).map((sum, i) => (sum + (byVector[i] ?? 0)) / 2)
  return { plain: softmax(sums), weighed: softmax(sums.map((sum, i) => sum + (costs[i] ?? 0))) }
}

const mixed = (a: Chances, b: Chances, share: number): Chances => ({
  plain: a.plain.map((chance, i) => (1 - share) * chance + share * (b.plain[i] ?? 0)),
  weighed: a.weighed.map((chance, i) => (1 - share) * chance + share * (b.weighed[i] ?? 0)),
})

function resultOf({ plain, weighed }: Chances): StanceResult {
  const [support = 0, deny = 0, query = 0, comment = 0] = plain
  const best = weighed.indexOf(Math.max(...weighed))
  return { stance: STANCES[best] ?? 'comment', probabilities: { support, deny, query, comment } }
}
