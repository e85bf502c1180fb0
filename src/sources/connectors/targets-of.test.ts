import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { TargetFacts } from '../../views/echo/targets.ts'
import { targetsOf, type WordKnowledge } from './targets-of.ts'

const NOW = Date.UTC(2026, 10, 1, 12)
const HOUR_MS = 3_600_000

const words: WordKnowledge = {
  weightOf: (word) => ({ the: 0, for: 0, after: 0, storm: 2, harbour: 5, bridge: 4, closes: 3 })[word] ?? 1,
  isCountry: (name) => ['France', 'United States'].includes(name),
}

const aStory = (over: Partial<TargetFacts> = {}): TargetFacts => ({
  cluster_id: 'sto_a',
  title: 'The Harbour Bridge closes after storm',
  article_count: 5,
  origins: 5,
  last_published: NOW - HOUR_MS,
  entities: ['Ada Quill', 'Porthaven'],
  urls: [],
  ...over,
})

const chosen = (...stories: readonly Partial<TargetFacts>[]) =>
  targetsOf(
    stories.map((over) => aStory(over)),
    { namespace: 'shared', now: NOW, limit: 50, words },
  )
const termsOf = (over: Partial<TargetFacts>) => chosen(over)[0]?.terms

describe('the stories that are looked for', () => {
  it.each<{ readonly why: string; readonly over: Partial<TargetFacts> }>([
    { why: 'the last article is 72 hours old', over: { last_published: NOW - 72 * HOUR_MS } },
    { why: 'there are two articles', over: { article_count: 2 } },
    { why: 'all articles are of one origin', over: { origins: 1 } },
    { why: 'there is nothing to ask for', over: { title: 'The', entities: [] } },
  ])('are not those where $why', ({ over }) => {
    expect(chosen(over)).toEqual([])
  })

  it.each([
    [{ origins: 5, last_published: NOW - 23 * HOUR_MS }, 'high'],
    [{ origins: 5, last_published: NOW - 24 * HOUR_MS }, 'medium'],
    [{ origins: 4 }, 'medium'],
    [{ origins: 3 }, 'medium'],
    [{ origins: 2 }, 'low'],
  ])('have a priority by origins and age: %j is %s', (over, priority) => {
    expect(chosen(over)[0]?.priority).toBe(priority)
  })

  it('come by priority, origins, recency and id, at most as many as asked for', () => {
    const stories = [
      { cluster_id: 'sto_low', origins: 2 },
      { cluster_id: 'sto_wide_and_old', origins: 9, last_published: NOW - 30 * HOUR_MS },
      { cluster_id: 'sto_b', origins: 5 },
      { cluster_id: 'sto_a', origins: 5 },
      { cluster_id: 'sto_newer', origins: 5, last_published: NOW },
      { cluster_id: 'sto_wide', origins: 6 },
    ]
    const order = ['sto_wide', 'sto_newer', 'sto_a', 'sto_b', 'sto_wide_and_old', 'sto_low']

    expect(chosen(...stories).map(({ cluster_id }) => cluster_id)).toEqual(order)
    const facts = stories.map((over) => aStory(over))
    const three = targetsOf(facts, { namespace: 'shared', now: NOW, limit: 3, words })
    expect(three.map(({ cluster_id }) => cluster_id)).toEqual(order.slice(0, 3))
  })

  it('are searched by two names and the most telling words of the title', () => {
    expect(termsOf({})).toEqual(['Ada Quill', 'Porthaven', 'harbour', 'bridge'])
    expect(termsOf({ entities: [] })).toEqual(['harbour', 'bridge', 'closes', 'storm'])
  })

  it('are searched by a bare country only where they name nothing else', () => {
    expect(termsOf({ entities: ['France', 'United States', 'Ada Quill'] })?.slice(0, 2)).toEqual([
      'Ada Quill',
      'France',
    ])
  })

  it('are never searched by the same name or word twice', () => {
    expect(termsOf({ entities: ['Quill', 'Ada Quill', 'Harbour Bridge'] })).toEqual([
      'Quill',
      'Harbour Bridge',
      'closes',
      'storm',
    ])
  })

  it('have at most four terms that are not blank, whatever titles and names are', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 8 }), (title, entities) => {
        const terms = termsOf({ title, entities }) ?? []
        expect(terms.length).toBeLessThanOrEqual(4)
        expect(terms.every((term) => term.trim() !== '')).toBe(true)
      }),
    )
  })
})
