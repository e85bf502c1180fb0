import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aWordVector } from '../../../test/builders/clustered.ts'
import { evidence } from './evidence.ts'
import { FeatureBlocks } from './feature-blocks.ts'
import {
  blockBytes,
  blockLength,
  blockOf,
  crossTitleCosine,
  leadCosine,
  packFeatures,
  titleCosine,
  unpackFeatures,
} from './packed-features.ts'
import { packed } from './terms.ts'

/** None for a text about a strike; as of an article that is not in English for one about a flood. */
const crossOf = (text: string) =>
  text.includes('strike')
    ? null
    : {
        model: 7,
        title: aWordVector(text.slice(0, 10)),
        lead: text.includes('flood') ? aWordVector(text.slice(0, 30)) : null,
      }

const looseFrom = (text: string) => ({
  lead: aWordVector(text),
  title: aWordVector(text.slice(0, 20)),
  bodyTerms: packed(new Map(text.split(' ').map((word, i) => [word, 1 + i]))),
  titleTerms: packed(new Map([[text.slice(0, 5), 1]])),
  entityTerms: packed(new Map()),
  keys: packed(new Map(text.split(' ').map((word) => [word, 2]))),
  evidence: evidence(text),
  cross: crossOf(text),
})
const words = fc.constantFrom('flood', 'Tuesday', '42 people', 'in Tamsin', 'strike', 'mayor', 'since 2008')
const texts = fc.array(words, { minLength: 1, maxLength: 30 }).map((found) => found.join(' '))

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

it('keeps the cosines of the vectors to a hundredth', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const [a, b] = [looseFrom(one), looseFrom(other)]

      expect(leadCosine(packFeatures(a), packFeatures(b))).toBeCloseTo(dot(a.lead, b.lead), 2)
      expect(titleCosine(packFeatures(a), packFeatures(b))).toBeCloseTo(dot(a.title, b.title), 2)
      if (a.cross !== null && b.cross !== null) {
        expect(crossTitleCosine(packFeatures(a), packFeatures(b))).toBeCloseTo(dot(a.cross.title, b.cross.title), 2)
      }
    }),
  )
})

it('is the same after it was unpacked or written', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const block = packFeatures(looseFrom(text))

      expect(blockBytes(packFeatures(unpackFeatures(block)))).toEqual(blockBytes(block))
      expect(blockBytes(blockOf(blockBytes(block)))).toEqual(blockBytes(block))
    }),
  )
})

it('keeps its bytes among others that come and go, in memory that is used again', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ text: texts, removed: fc.nat(9) }), { maxLength: 60 }), (steps) => {
      const blocks = new FeatureBlocks()
      const kept = [] as { bytes: Buffer; block: ReturnType<typeof blockOf> }[]
      for (const { text, removed } of steps) {
        const own = packFeatures(looseFrom(text))
        kept.push({ bytes: blockBytes(own), block: blocks.add(blockBytes(own)) })
        for (const { block } of kept.splice(removed, 1)) blocks.remove(block)
      }

      for (const { bytes, block } of kept) expect(blockBytes(block)).toEqual(bytes)
      const ends = kept.map(({ block }) => block.at + blockLength(block))
      kept.forEach(({ block }, i) => {
        kept.forEach((other, j) => {
          if (i !== j) expect(block.at >= (ends[j] ?? 0) || other.block.at >= (ends[i] ?? 0)).toBe(true)
        })
      })
    }),
  )
})
