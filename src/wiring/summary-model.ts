import { readClarityModel, clusteringModel } from '../adapters/model-files.ts'
import type { SummaryModel, Weigh } from '../language/summary/summarise.ts'
import { count, weigh } from '../stages/clustered/terms.ts'
import { tokens } from '../stages/clustered/tokens.ts'

export const summaryModel = (): SummaryModel => ({ weigh: termWeights(), clarity: readClarityModel() })

/** Weights of the content words of a text, as used to compare stories; the table is loaded on first use. */
export function termWeights(): Weigh {
  let words: ReturnType<typeof clusteringModel>['idf']['words'] | undefined
  return (text) => {
    words ??= clusteringModel().idf.words
    return weigh(count(tokens(text)), words)
  }
}
