import { expect, it } from 'vitest'
import { anAnalyzedArticle, anEntity } from '../../../test/builders/views.ts'
import { clusteringModel } from '../../adapters/model-files.ts'
import { f32 } from '../../events/vector.ts'
import { asMember } from './ledger.ts'

const model = clusteringModel()

it('says who publishes the article, and for whom', () => {
  const { publisher, publisher_family } = asMember(
    anAnalyzedArticle({ source: 'Detroit Free Press (blog)', url: 'https://freep.com/story/1' }),
    model,
  )

  expect({ publisher, publisher_family }).toEqual({ publisher: 'detroit free press', publisher_family: 'Gannett' })
  expect(asMember(anAnalyzedArticle({ source: null, url: null }), model)).toMatchObject({
    publisher: '',
    publisher_family: null,
  })
})

it('says how it is written', () => {
  expect(asMember(anAnalyzedArticle({ genre: 'opinion' }), model).genre).toBe('opinion')
})

it('says what it is about, by its lead vector', () => {
  const [politics] = model.categories.filter(({ name }) => name === 'politics')
  const weights = politics?.weights ?? new Float32Array(384)
  const length = Math.hypot(...weights)
  const article = anAnalyzedArticle({
    lead_vector: f32(
      'test:lead',
      weights.map((value) => value / length),
    ),
  })

  expect(asMember(article, model).categories).toContain('politics')
  expect(asMember(anAnalyzedArticle({ lead_vector: f32('test:lead', new Float32Array(3)) }), model).categories).toEqual(
    [],
  )
})

it('counts the mentions of each entity, and how they speak of it', () => {
  const [mention] = anEntity('Geneva', 'GPE').mentions
  if (mention === undefined) throw new Error('no mention')
  const feels = [-0.5, 0.1].map((sentiment_score) => ({ ...mention, sentiment_score }))
  const entity = { ...anEntity('Geneva', 'GPE'), mentions: feels }

  expect(asMember(anAnalyzedArticle({ entities: [entity] }), model).entities).toEqual([
    {
      entity_id: entity.entity_id,
      name: 'Geneva',
      type: 'GPE',
      mention_count: entity.mentions.length,
      country: entity.place?.country ?? null,
      sentiment_score: -0.2,
    },
  ])
})
