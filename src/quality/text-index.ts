import { containment } from '../language/near-duplicates/fingerprint.ts'
import type { TextIndex } from '../quality/duplicates.ts'
import type { OriginWeights } from '../language/clustering/model.ts'
import { newcomer, origin } from '../stages/clustered/origin.ts'
import { addText, noTexts } from '../stages/clustered/texts.ts'

/** The clusterer's memory of texts without the rest of the clusterer: no vectors are needed to measure it. */
export function textIndex(weights: OriginWeights): TextIndex {
  const texts = noTexts()
  let order = 0
  return {
    origin: (text) => origin(texts, newcomer(text, weights), weights),
    remember: (text, { syndication_group }) => {
      addText(texts, { ...newcomer(text, weights), order: order++, group: syndication_group })
    },
    compare: (one, other) => {
      const [a, b] = [one, other].map((text) => newcomer(text, weights).print)
      if (a === undefined || b === undefined || a.shingles.length === 0 || b.shingles.length === 0) return null
      return containment(a.shingles, b.shingles)
    },
    same: weights.same,
  }
}
