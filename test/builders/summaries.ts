import { readClarityModel } from '../../src/adapters/model-files.ts'
import type { SummaryModel } from '../../src/language/summary/summarise.ts'

/** The product's weights of clarity; every word of four letters and more weighs the same. */
export const aSummaryModel = (): SummaryModel => ({
  weigh: (text) => new Map((text.toLowerCase().match(/[a-z]{4,}/g) ?? []).map((word) => [word, 1])),
  clarity: readClarityModel(),
})
