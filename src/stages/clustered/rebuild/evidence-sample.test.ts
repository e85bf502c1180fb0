import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aWordVector } from '../../../../test/builders/clustered.ts'
import { evidence } from '../evidence.ts'
import type { Features } from '../features.ts'
import { packFeatures, SECTIONS } from '../packed-features.ts'
import { agree, disagree } from '../terms-cosine.ts'
import { packed } from '../terms.ts'
import { evidenceSample, shareApart, shareOfSameYear } from './evidence-sample.ts'

const NONE = packed(new Map())

function anArticle({ text, dated }: { readonly text: string; readonly dated: boolean }): Features {
  const vectors = { lead: aWordVector(text), title: aWordVector(text) }
  const terms = { bodyTerms: NONE, titleTerms: NONE, entityTerms: NONE, keys: NONE }
  const block = packFeatures({ ...vectors, ...terms, evidence: evidence(text), cross: null })
  return { ...block, time: 0, dated, hasBody: true, encoder: 'test' }
}

const texts = fc.constantFrom(
  'nothing',
  'on Tuesday',
  'on Friday',
  'on Tuesday in 2008',
  'in 2008',
  'in 2012',
  '42 people',
)
const articles = (minLength: number) =>
  fc
    .array(fc.record({ text: texts, dated: fc.boolean() }), { minLength, maxLength: 32 })
    .map((found) => found.map(anArticle))

/** The share of all pairs for which it holds. */
function shareOf(one: readonly Features[], other: readonly Features[], holds: (a: Features, b: Features) => boolean) {
  const pairs = one.flatMap((a) => other.map((b) => holds(a, b)))
  return pairs.filter(Boolean).length / pairs.length
}

it('counts the pairs that a comparison of each pair finds, for up to 32 articles', () => {
  fc.assert(
    fc.property(articles(1), articles(31), (one, other) => {
      const [a, b] = [evidenceSample(one), evidenceSample(other)]
      for (const kind of ['numbers', 'places', 'weekdays'] as const) {
        expect(shareApart(a, b, kind)).toBeCloseTo(
          shareOf(one, other, (x, y) => disagree(x, y, SECTIONS[kind])),
          9,
        )
      }
      const isSameYear = (x: Features, y: Features) => !(x.dated && y.dated) && agree(x, y, SECTIONS.years)
      expect(shareOfSameYear(a, b)).toBeCloseTo(shareOf(one, other, isSameYear), 9)
    }),
  )
})
