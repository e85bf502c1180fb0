export const STANCES = ['support', 'deny', 'query', 'comment'] as const
export type Stance = (typeof STANCES)[number]

/** A text and its vector, float32[384], unit length: the mean of its sentences. An empty text: only the vector is kept. */
export interface SaidText {
  readonly text: string
  readonly vector: Float32Array
}

/** What somebody said, and to what. */
export interface StanceInput {
  readonly post: SaidText
  /** What it answers; null: nothing, or nothing that is known. */
  readonly parent: SaidText | null
  /** The claim it is held against: a story's headline and its articles' mean vector, or the post its thread began with. */
  readonly claim: SaidText | null
}

export interface StanceResult {
  /** The likeliest by the costs the model was tuned with; not always of the highest probability. */
  readonly stance: Stance
  /** Each 0 to 1, together 1. */
  readonly probabilities: Readonly<Record<Stance, number>>
}

/** The stance a post takes towards a claim (RumourEval, Derczynski et al. 2017). Pure. */
export interface StanceModel {
  /** Name and hash of the weights. */
  readonly name: string
  readonly stanceOf: (input: StanceInput) => StanceResult
}
