import { z } from 'zod'
import { WIDTHS } from './features.ts'
import { STANCES } from './stance.ts'

/** What a headline does with a claim: `support`, `deny`, or `comment`, which is to report it and leave it open. */
export const HEADLINE_STANCES = ['support', 'deny', 'comment'] as const

const layer = (rows: number, width: number) =>
  z.object({
    bias: z.array(z.number()).length(rows),
    /** One row a class, in the order of the features. */
    weights: z.array(z.array(z.number()).length(width)).length(rows),
  })

/** Added to the logarithms of the probabilities before the largest is chosen: what makes up for rare classes. */
const costs = (rows: number) => z.array(z.number()).length(rows)

const File = z.object({
  /** Whose vectors these weights were learned with. */
  encoder: z.string(),
  /** Threads and claims that they were learned from: figures on these say nothing about others. */
  learned: z.array(z.string()),
  reply: z.object({
    cues: layer(STANCES.length, WIDTHS.reply),
    vector: layer(STANCES.length, WIDTHS.reply_vector),
    costs: costs(STANCES.length),
  }),
  headline: z.object({
    cues: layer(HEADLINE_STANCES.length, WIDTHS.headline),
    vector: layer(HEADLINE_STANCES.length, WIDTHS.headline_vector),
    costs: costs(HEADLINE_STANCES.length),
  }),
  /** Whether something is put as a headline, or as somebody speaks: other, headline. */
  style: layer(2, WIDTHS.style),
})

export type StanceWeights = z.infer<typeof File>
export type StanceLayer = StanceWeights['style']
export type Head = StanceWeights['reply']

/** Reads the text of `models/stance/weights.json`. */
export const parseStanceWeights = (json: string): StanceWeights => File.parse(JSON.parse(json))
