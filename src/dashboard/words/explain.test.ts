import { describe, expect, it } from 'vitest'
import { explain, type MembershipReason } from './explain.ts'

const aWhy = (over: Partial<MembershipReason> = {}): MembershipReason => ({
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
  it('is said with the score, what was needed, and who came next', () => {
    const { sentence, margin } = explain(aWhy())

    expect(sentence).toBe(
      'It fits the 5 articles that this story had: a score of 2.56, where more than 1.25 was needed. The next best story reached −5.49.',
    )
    expect(margin).toEqual({ score: 2.55748, threshold: 1.25, runnerUp: -5.49025 })
  })

  it('is shown with what spoke for it and against it', () => {
    expect(explain(aWhy()).evidence).toEqual([
      { label: 'Openings alike', text: '83 %', share: 0.83 },
      { label: 'Dates', text: '6 h apart', share: null },
      { label: 'Different numbers', text: 'than 20 % of them', share: null },
    ])
  })

  it.each<[string, Partial<MembershipReason>]>([
    ['It is the first of this story: no other story was near it.', { action: 'opened', chosen: null, runner_up: null }],
    [
      'It is the first of this story. The nearest other story reached −5.49, where more than 1.25 was needed.',
      { action: 'opened', chosen: null },
    ],
    [
      '92 % of its text stands in an article that is in this story.',
      { rule: 'copy', chosen: { cluster_id: 'sto_a', score: 0.92, features: { containment: 0.92 } } },
    ],
    ['A curator put it here.', { action: 'corrected', rule: 'curator' }],
    [
      'Two stories turned out to be one when all articles of its days were looked at together; 3 articles moved. The bond is 2.56, where more than 1.25 was needed.',
      { action: 'merged', rule: 'linkage', articles: 3, rebuild_day: '2018-12-31' },
    ],
    [
      'It was put here when a new article was near to both stories; 1 article moved. The bond is 2.56, where more than 1.25 was needed.',
      { action: 'moved', rule: 'linkage', articles: 1 },
    ],
    ['A newer version of the clusterer put it here.', { rule: 'reprocessed' }],
  ])('%s', (sentence, over) => {
    expect(explain(aWhy(over)).sentence).toBe(sentence)
  })

  it('compares the first of a story with the story that it did not fit', () => {
    const { margin, compared } = explain(aWhy({ action: 'opened', chosen: null }))

    expect(margin).toEqual({ score: null, threshold: 1.25, runnerUp: -5.49025 })
    expect(compared).toBe('How alike it is to that other story')
  })

  it('shows no score where none decided', () => {
    expect(explain(aWhy({ rule: 'curator' })).margin).toBeNull()
  })
})
