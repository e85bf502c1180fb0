import { expect, it } from 'vitest'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { f32, NO_VECTOR } from '../../events/vector.ts'
import { clusteringModel } from '../../adapters/model-files.ts'
import { bodyOf, foldedBody } from '../../language/body-text.ts'
import { bandKeys, shingles, wordHashes } from '../../language/near-duplicates/fingerprint.ts'
import type { Entry } from '../../state/entry.ts'
import { aClusterer, inOrder, live, madeUpReport } from '../../../test/builders/clustered.ts'
import { realArticles } from '../../../test/builders/real-articles.ts'
import { evidence } from './evidence.ts'
import { FeatureBlocks } from './feature-blocks.ts'
import { features } from './features.ts'
import type { MemberRecord } from './changelog.ts'
import { unpackFeatures } from './packed-features.ts'
import { articleEntry, fromRecord } from './records.ts'
import type { ClusteredTerms } from './terms.ts'

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Int32Array | Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
const termBytes = ({ hashes, weights }: ClusteredTerms): Buffer => Buffer.concat([bytesOf(hashes), bytesOf(weights)])
const none = Buffer.alloc(0)

/** The record of an article as version 5 of the stage wrote it. */
function inOldForm(record: MemberRecord, { title, text, lead_vector, title_vector }: ArticleAnalyzed): MemberRecord {
  const block = unpackFeatures(fromRecord(record, new FeatureBlocks()).features)
  const read =
    record.text_sample.length === 0 ? new Uint32Array() : shingles(wordHashes(foldedBody(bodyOf(title, text) || text)))
  return {
    ...record,
    packed: none,
    lead_vector,
    title_vector,
    body_terms: termBytes(block.bodyTerms),
    title_terms: termBytes(block.titleTerms),
    entity_terms: termBytes(block.entityTerms),
    index_keys: termBytes(block.keys),
    evidence: Object.fromEntries(
      Object.entries(evidence(`${title ?? ''}\n${bodyOf(title, text)}`)).map(([kind, terms]) => [
        kind,
        termBytes(terms),
      ]),
    ),
    text_sample: none,
    text_shingles: bytesOf(read),
    text_bands: read.length === 0 ? none : bytesOf(bandKeys(read)),
  }
}

it('of an older version is read as if this version had written it', () => {
  const articles = Array.from({ length: 24 }, (_, i) => madeUpReport({ event: i % 5, outlet: i, day: i % 4 }))
  const stage = aClusterer()
  const before = live(stage, inOrder(articles))
  const byId = new Map(articles.map((article) => [article.article_id, article]))
  const old = before.entries.map(({ key, value }): Entry<MemberRecord> => {
    const article = byId.get(value?.article_id ?? '')
    return { key, value: value === null || article === undefined ? value : inOldForm(value, article) }
  })
  const state = old.reduce((folded, entry) => stage.memory.evolve(folded, entry), stage.memory.empty())
  const next = inOrder(
    Array.from({ length: 12 }, (_, i) => madeUpReport({ event: i % 5, outlet: 40 + i, day: i % 4 })),
    articles.length,
  )

  expect(live(stage, next, { state }).events).toEqual(live(stage, next, before).events)
})

it('has features of less than 1,950 bytes, on average over real articles', () => {
  const model = clusteringModel()
  const sizes = realArticles()
    .slice(0, 100)
    .map(({ title, text }) => {
      const vector = f32('m:lead', new Float32Array(384).fill(1 / Math.sqrt(384)))
      const own = features(
        {
          ...{ title, text, dated: true, occurred_at: 0, lead_vector: vector, title_vector: vector },
          ...{ cross_title_vector: NO_VECTOR, cross_vector: NO_VECTOR },
        },
        model,
      )
      if (own === null) throw new Error('the vectors are comparable')
      const { packed } = articleEntry('shared', aMember(own), null).value ?? { packed: none }
      return packed.length
    })

  expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(1_950)
})

const aMember = (own: Parameters<typeof articleEntry>[1]['features']) => ({
  articleId: 'art_a',
  clusterId: 'sto_a',
  seen: ['c0ffee'],
  order: 0,
  loggedAt: 0,
  founded: true,
  duplicateOf: null,
  constraints: [],
  subjectId: null,
  features: own,
})
