import { describe, expect, it } from 'vitest'
import { clusteringModel } from '../../adapters/model-files.ts'
import { f32 } from '../../events/vector.ts'
import { clusterId, contentHash } from '../../events/ids.ts'
import {
  aClusterer,
  aReport,
  inOrder,
  live,
  madeUpReport,
  storiesOf,
  undated,
} from '../../../test/builders/clustered.ts'
import { decideAgain } from './rank.ts'

const strike = (outlet: number, day = 0) => madeUpReport({ event: 0, outlet, day })
const flood = (outlet: number, day = 0) => madeUpReport({ event: 1, outlet, day })
const revised = (article: ReturnType<typeof strike>, text: string) =>
  aReport({ ...article, text, content_hash: contentHash(article.title, text), event_id: `${article.event_id}-2` })

describe('clustered', () => {
  it('opens a story, joins it, and opens another for other news', () => {
    const { events } = live(aClusterer(), inOrder([strike(0), strike(1), flood(2)]))

    expect(events.map(({ action }) => action)).toEqual(['opened', 'joined', 'opened'])
    expect(events[1]?.cluster_id).toBe(events[0]?.cluster_id)
    expect(events[0]?.cluster_id).toBe(clusterId('shared', strike(0).article_id))
  })

  it('says why: chosen and runner-up with every feature, threshold and versions', () => {
    const { events } = live(aClusterer(), inOrder([strike(0), flood(1), strike(2, 1)]))
    const decision = events[2]?.decision

    expect(decision?.chosen).toMatchObject({
      cluster_id: events[0]?.cluster_id,
      features: { size: 1, size_penalty: 0, best_headline: 0, 'best.gap_days': 1, 'best.bias': 1, 'best.undated': 0 },
    })
    expect(Object.keys(decision?.chosen?.features ?? {})).toEqual(
      expect.arrayContaining([
        'mean_link',
        'max_link',
        'body.lead_cosine',
        'body.title_cosine',
        'body.body_terms_cosine',
      ]),
    )
    expect(decision?.runner_up?.cluster_id).toBe(events[1]?.cluster_id)
    expect(decision?.threshold).toBe(clusteringModel().weights.join.threshold)
    expect(Object.keys(decision?.versions ?? {})).toEqual(['weights', 'idf', 'mu', 'assignment'])
    expect(events[0]?.decision.chosen).toBeNull()
  })

  it('comes to the same choice again from what was recorded', () => {
    const news = Array.from({ length: 60 }, (_, i) => madeUpReport({ event: i % 7, outlet: i, day: i / 10 }))
    const { events } = live(aClusterer(), inOrder(news))

    expect(new Set(events.map(({ action }) => action))).toEqual(new Set(['opened', 'joined']))
    const { weights } = clusteringModel()
    for (const event of events) {
      expect(decideAgain(event, weights)).toBe(event.action === 'opened' ? null : event.cluster_id)
    }
  })

  it('ignores what it has seen, direct analyses, and vectors it cannot compare', () => {
    const stranger = { ...strike(2), lead_vector: f32('another-model:lead', new Float32Array(384)) }
    const narrow = { ...strike(3), lead_vector: f32('afdb6f1a0e45:lead', new Float32Array(3)) }
    const { outcomes } = live(
      aClusterer(),
      inOrder([strike(0), strike(0), { ...strike(1), direct: true }, stranger, narrow]),
    )

    expect(outcomes.map((outcome) => (outcome.kind === 'emit' ? 'emit' : outcome.reason))).toEqual([
      'emit',
      'already_seen',
      'direct_analysis',
      'vector_malformed',
      'vector_malformed',
    ])
  })

  it('keeps a revision in its story, compares later articles with the new text, and knows the old one again', () => {
    const first = strike(0)
    const second = revised(first, flood(0).text)
    const { events, outcomes, state } = live(aClusterer(), inOrder([first, strike(1), second, first, second]))

    expect(events.map(({ action }) => action)).toEqual(['opened', 'joined', 'revised'])
    expect(new Set(events.map(({ cluster_id }) => cluster_id)).size).toBe(1)
    expect(events[2]?.decision.chosen?.features['size']).toBe(1)
    expect(outcomes.slice(3)).toEqual([expect.objectContaining({ reason: 'already_seen' }), expect.anything()])
    expect(state.size).toBe(2)
  })

  it('revises an article that stands alone', () => {
    const { events } = live(aClusterer(), inOrder([strike(0), revised(strike(0), flood(0).text)]))

    expect(events[1]).toMatchObject({
      action: 'revised',
      cluster_id: events[0]?.cluster_id,
      decision: { chosen: null },
    })
  })

  it('takes late arrivals in both directions of time, within five days and no further', () => {
    const joins = (day: number) => live(aClusterer(), inOrder([strike(0, 10), strike(1, day)])).events[1]?.action

    expect([9, 11].map(joins)).toEqual(['joined', 'joined'])
    expect(
      [4.9, 15.1].map(
        (day) => live(aClusterer(), inOrder([strike(0, 10), strike(1, day)])).events[1]?.decision.runner_up,
      ),
    ).toEqual([null, null])
  })

  it('lets nearness to any member keep a story live', () => {
    const running = [0, 2, 4, 6].map((day, outlet) => strike(outlet, day))
    const { events } = live(aClusterer(), inOrder([...running, strike(9, -1)]))

    expect(storiesOf(events).get(strike(9, -1).article_id)).toBe(events[0]?.cluster_id)
  })

  it('leaves time out where a date is missing', () => {
    const { events } = live(aClusterer(), inOrder([strike(0), undated(strike(1), 3)]))

    expect(events[1]?.decision.chosen?.features).toMatchObject({ 'best.gap_days': 0, 'best.undated': 1 })
  })

  it('puts a re-print with its original only where both are of the same days', () => {
    const text = Array.from({ length: 30 }, (_, i) => `Sentence ${i} says something of its own on ${i * 7}.`).join(' ')
    const first = aReport({ ...strike(0), text })
    const copy = (arrivedOn: number) =>
      undated(
        aReport({ ...flood(1), title: 'Quite another headline', text, article_id: `art_${arrivedOn}` }),
        arrivedOn,
      )
    const joins = (arrivedOn: number) => {
      const { events } = live(aClusterer(), inOrder([first, copy(arrivedOn)]))
      return { rule: events[1]?.decision.rule, together: events[1]?.cluster_id === events[0]?.cluster_id }
    }

    expect(joins(2)).toEqual({ rule: 'copy', together: true })
    expect(joins(3_800)).toEqual({ rule: 'link', together: false })
  })

  it('keeps namespaces apart', () => {
    const theirs = aReport({ ...strike(1), namespace: 'acme-news' })
    const { events } = live(aClusterer(), inOrder([strike(0), theirs]))

    expect(events.map(({ action }) => action)).toEqual(['opened', 'opened'])
  })

  it("clusters an old corpus after today's news exactly as alone, and the other way round", () => {
    const old = Array.from({ length: 40 }, (_, i) => madeUpReport({ event: i % 9, outlet: i, day: i / 8 }))
    const today = old.map((_, i) => undated(madeUpReport({ event: (i * 5) % 13, outlet: 100 + i, day: 0 }), 3_800))
    const alone = [old, today].map((corpus) => storiesOf(live(aClusterer(), inOrder(corpus)).events))
    const together = [
      [...old, ...today],
      [...today, ...old],
      old.flatMap((article, i) => [article, today[i] ?? article]),
    ].map((news) => storiesOf(live(aClusterer(), inOrder(news)).events))

    for (const stories of together) {
      expect(new Map([...stories].sort())).toEqual(new Map([...alone.flatMap((s) => [...s])].sort()))
    }
  })
})
