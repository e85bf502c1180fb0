import { describe, expect, it } from 'vitest'
import { explain } from './explain.ts'
import type { ApiSchemas } from './schemas.ts'

const aWhy = (over: Partial<ApiSchemas['MembershipReason']> = {}): ApiSchemas['MembershipReason'] => ({
  ...{ cluster_id: 'sto_a', article_id: 'art_1', event_id: 'evt_1', decided_at: '2018-12-16T08:05:00.000Z' },
  ...{ action: 'joined', rule: 'link', threshold: 1.25, versions: {}, articles: 1, correction_id: null },
  rebuild_day: null,
  chosen: {
    cluster_id: 'sto_a',
    score: 2.55748,
    features: {
      size: 5,
      mean_link: 1.37,
      'body.pairs': 5,
      'body.lead_cosine': 0.83,
      'body.gap_days': 0.25,
      'body.numbers_apart': 0.2,
    },
  },
  runner_up: { cluster_id: 'sto_b', score: -5.49025, features: {} },
  ...over,
})

describe('why an article is in a story', () => {
  it('is explained with score, threshold and runner-up', () => {
    const { sentence, margin } = explain(aWhy())

    expect(sentence).toBe(
      'It fits the 5 articles in this story: score 2.56, threshold 1.25. The runner-up story scored −5.49.',
    )
    expect(margin).toEqual({ score: 2.55748, threshold: 1.25, runnerUp: -5.49025 })
  })

  it('lists the evidence for and against it', () => {
    expect(explain(aWhy()).evidence).toEqual([
      { label: 'Similarity of openings', text: '83 %', share: 0.83 },
      { label: 'Dates', text: '6 h apart', share: null },
      { label: 'Different numbers', text: 'in 20 % of comparisons', share: null },
    ])
  })

  it('says that articles were compared across languages', () => {
    const features = { 'cross.pairs': 2, 'cross.title_cosine': 0.61, 'cross.lead_cosine': 0.61, 'cross.gap_days': 2 }

    expect(explain(aWhy({ chosen: { cluster_id: 'sto_a', score: 1.4, features } })).evidence).toEqual([
      { label: 'Similarity of headlines', text: '61 %', share: 0.61 },
      { label: 'Languages', text: 'compared across languages', share: null },
      { label: 'Dates', text: '2 days apart', share: null },
    ])
  })

  it.each<[string, Partial<ApiSchemas['MembershipReason']>]>([
    ['It opened this story: no other story was similar.', { action: 'opened', chosen: null, runner_up: null }],
    [
      'It opened this story. The most similar other story scored −5.49, below the threshold of 1.25.',
      { action: 'opened', chosen: null },
    ],
    [
      '92 % of its text also appears in an article in this story.',
      { rule: 'copy', chosen: { cluster_id: 'sto_a', score: 0.92, features: { containment: 0.92 } } },
    ],
    ['A curator assigned it to this story.', { action: 'corrected', rule: 'curator' }],
    [
      'Two stories were merged when the stories around new articles were evaluated again; 3 articles moved. Linkage score 2.56, threshold 1.25.',
      { action: 'merged', rule: 'linkage', articles: 3, rebuild_day: '2018-12-31' },
    ],
    [
      'It was moved here when a new article was similar to both stories; 1 article moved. Linkage score 2.56, threshold 1.25.',
      { action: 'moved', rule: 'linkage', articles: 1 },
    ],
    ['A newer version of the clusterer assigned it to this story.', { rule: 'reprocessed' }],
  ])('%s', (sentence, over) => {
    expect(explain(aWhy(over)).sentence).toBe(sentence)
  })

  it('compares the article that opened a story with the runner-up', () => {
    const { margin, compared } = explain(aWhy({ action: 'opened', chosen: null }))

    expect(margin).toEqual({ score: null, threshold: 1.25, runnerUp: -5.49025 })
    expect(compared).toBe('Similarity to the other story')
  })

  it('has no margin if the decision is not based on a score', () => {
    expect(explain(aWhy({ rule: 'curator' })).margin).toBeNull()
  })
})
