import { z } from 'zod'
import { dot } from '../vectors.ts'

export const CATEGORY_NAMES = ['technology', 'politics', 'finance', 'geopolitics', 'health'] as const

/** What news can be about; other news is of none, some of several. */
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
  /** Of the sum: where the probability is the category's threshold. */
  readonly above: number
}

/** One yes or no for each category, of the lead vectors that `models/categories/train.ts` learned from. */
export type Categories = readonly CategoryWeights[]

/** Reads the text of `models/categories/weights.json`. */
export const parseCategories = (json: string): Categories =>
  File.parse(JSON.parse(json)).categories.map(({ name, threshold, bias, weights }) => ({
    name,
    weights: Float32Array.from(weights),
    above: Math.log(threshold / (1 - threshold)) - bias,
  }))

/** By the article's lead vector (float32[384], unit length), in alphabetical order; none of a vector of another size. */
export const categoriesOf = (vector: Float32Array, categories: Categories): readonly Category[] =>
  vector.length === DIM
    ? categories
        .filter(({ weights, above }) => dot(vector, weights) >= above)
        .map(({ name }) => name)
        .sort()
    : []
