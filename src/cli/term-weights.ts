import { clusteringModel } from '../adapters/clustering-model.ts'
import type { Weigh } from '../language/summary/summarise.ts'
import { count, weigh } from '../stages/clustered/terms.ts'
import { tokens } from '../stages/clustered/tokens.ts'

/** Weights of a text's content words as stories are compared by them; the table is read when first asked for. */
export function termWeights(): Weigh {
  let words: ReturnType<typeof clusteringModel>['idf']['words'] | undefined
  return (text) => {
    words ??= clusteringModel().idf.words
    return weigh(count(tokens(text)), words)
  }
}
