import { z } from 'zod'
import { dot } from '../vectors.ts'

export const CATEGORY_NAMES = ['technology', 'politics', 'finance', 'geopolitics', 'health'] as const

/** A subject of news. An article may have several or none. */
export type Category = (typeof CATEGORY_NAMES)[number]

const DIM = 384

const File = z.object({
  encoder: z.string(),
  categories: z.array(
    z.object({
      name: z.enum(CATEGORY_NAMES),
      threshold: z.number().min(0.5).max(1),
      bias: z.number(),
      weights: z.array(z.number()).length(DIM),
    }),
  ),
})

interface CategoryWeights {
  readonly name: Category
  readonly weights: Float32Array
  /** Minimum dot product of a vector with `weights`: there the probability equals the category's threshold. */
  readonly minimum: number
}

/** A binary classifier of lead vectors for each category, trained by `models/categories/train.ts`. */
export type Categories = readonly CategoryWeights[]

/** Reads the text of `models/categories/weights.json`. */
export const parseCategories = (json: string): Categories =>
  File.parse(JSON.parse(json)).categories.map(({ name, threshold, bias, weights }) => ({
    name,
    weights: Float32Array.from(weights),
    minimum: Math.log(threshold / (1 - threshold)) - bias,
  }))

/** The categories of a lead vector (float32[384], unit length), in alphabetical order; empty for other lengths. */
export const categoriesOf = (vector: Float32Array, categories: Categories): readonly Category[] =>
  vector.length === DIM
    ? categories
        .filter(({ weights, minimum }) => dot(vector, weights) >= minimum)
        .map(({ name }) => name)
        .sort()
    : []
