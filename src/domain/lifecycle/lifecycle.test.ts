import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIFECYCLE, lifecycle, reason, type Evaluation, type PlatformReception, type StoryFacts } from './lifecycle.ts'
import { PLATFORMS } from '../../events/discourse.ts'
import { LIFECYCLE_STATES, type LifecycleState } from '../../events/lifecycle.ts'

const HOUR_MS = 3_600_000
const AT = Date.UTC(2016, 4, 3, 12)
const ago = (hours: number): number => AT - hours * HOUR_MS

const aReception = (over: Partial<PlatformReception> = {}): PlatformReception => ({
  platform: 'reddit',
  controversy_score: 0.8,
  counter_narrative_confidence: 0,
  posts: 12,
  newest_post: ago(3),
  updated: ago(2),
  ...over,
})

/** A story that newspapers are done with: no article for five days. */
const aStory = (over: Partial<StoryFacts> = {}): StoryFacts => ({
  first_published: ago(200),
  last_published: ago(120),
  recent_origins: 0,
  recent_articles: 0,
  peak_day_articles: 8,
  receptions: [],
  ...over,
})

const evaluated = (evaluation: Evaluation) => {
  const fired = lifecycle(evaluation, LIFECYCLE)
  return { state: fired.state, ...reason(fired, evaluation, LIFECYCLE) }
}

const verdict = (over: Partial<StoryFacts>, previous: LifecycleState | null = null) =>
  evaluated({ facts: aStory(over), previous, at: AT })
const stateOf = (over: Partial<StoryFacts>, previous: LifecycleState | null = null): LifecycleState =>
  verdict(over, previous).state

const fresh = { first_published: ago(1), last_published: ago(1), recent_origins: 3, recent_articles: 3 }

describe('a story is breaking', () => {
  it.each([
    ['its first article is under 6 hours old', ago(6) + 1, 3, 'breaking'],
    ['not at 6 hours', ago(6), 3, 'developing'],
    ['not with two origins', ago(1), 2, 'developing'],
  ])('while %s', (_, first_published, recent_origins, state) => {
    expect(stateOf({ ...fresh, first_published, recent_origins })).toBe(state)
  })

  it('and says by what', () => {
    expect(verdict(fresh)).toMatchObject({
      rule: 'breaking',
      values: { first_article_age_hours: 1, origins_2h: 3 },
      text: 'its first article is 60 minutes old, and 3 independent origins reported in the last 2h',
    })
    expect(verdict({ ...fresh, first_published: ago(1 / 60) }).text).toMatch(/^its first article is 1 minute old/)
  })
})

describe('a story is developing', () => {
  const going = { last_published: ago(5), recent_articles: 2, peak_day_articles: 8 }

  it.each([
    ['its last article is under 24 hours old', { last_published: ago(24) + 1 }, 'developing'],
    ['not at 24 hours', { last_published: ago(24) }, 'mature'],
    ['the last 24 hours hold a quarter of the peak day', { recent_articles: 2 }, 'developing'],
    ['not with less than a quarter', { recent_articles: 1 }, 'mature'],
  ])('while %s', (_, over, state) => {
    expect(stateOf({ ...going, ...over })).toBe(state)
  })
})

describe('a story is mature, then concluded', () => {
  it.each([
    [ago(72) + 1, 'mature'],
    [ago(72), 'concluded'],
  ])('with its last article at %s', (last_published, state) => {
    expect(stateOf({ last_published })).toBe(state)
  })

  it('and says for how long nothing has come', () => {
    expect(verdict({})).toMatchObject({ rule: 'concluded', text: 'no article has come for 5 days' })
  })
})

describe('a concluded story becomes contested', () => {
  it.each([
    ['by controversy of 0.6', { controversy_score: 0.6 }, 'contested'],
    ['not below', { controversy_score: 0.5999 }, 'concluded'],
    ['by a confidence of 0.7', { controversy_score: 0, counter_narrative_confidence: 0.7 }, 'contested'],
    ['not below', { controversy_score: 0, counter_narrative_confidence: 0.6999 }, 'concluded'],
    ['with five posts', { posts: 5 }, 'contested'],
    ['not with four', { posts: 4 }, 'concluded'],
    ['when the newest post is 48 hours old', { newest_post: ago(48) }, 'contested'],
    ['not when it is older', { newest_post: ago(48) - 1 }, 'concluded'],
    ['when the enrichment is 48 hours old', { newest_post: ago(48), updated: ago(48) }, 'contested'],
    ['not when it is older', { updated: ago(48) - 1 }, 'concluded'],
    ['on bluesky', { platform: 'bluesky' }, 'contested'],
    ['never on twitter', { platform: 'twitter', controversy_score: 1, counter_narrative_confidence: 1 }, 'concluded'],
  ] as const)('%s', (_, over, state) => {
    expect(stateOf({ receptions: [aReception(over)] })).toBe(state)
  })

  it('but no other does', () => {
    for (const last_published of [ago(71), ago(1)]) {
      expect(stateOf({ last_published, receptions: [aReception()] }, 'contested')).not.toBe('contested')
    }
  })

  it('and names the row that did it', () => {
    const receptions = [
      aReception({ controversy_score: 0.62 }),
      aReception({ platform: 'bluesky', controversy_score: 0.75 }),
      aReception({ platform: 'twitter', controversy_score: 1 }),
    ]

    expect(verdict({ receptions })).toMatchObject({
      rule: 'contested',
      values: { controversy_score: 0.75, posts: 12, last_article_age_hours: 120 },
      text: 'no article has come for 5 days, but bluesky contests it: controversy 0.75, counter-narrative confidence 0, 12 posts, the newest 3 hours old',
    })
  })
})

describe('a contested story', () => {
  it.each([
    ['stays so while controversy is 0.5', { controversy_score: 0.5 }, 'contested'],
    ['stays so while confidence is 0.6', { controversy_score: 0, counter_narrative_confidence: 0.6 }, 'contested'],
    ['leaves below both', { controversy_score: 0.4999, counter_narrative_confidence: 0.5999 }, 'concluded'],
    ['stays so although posts have ceased', { newest_post: ago(60), updated: ago(48) }, 'contested'],
    ['leaves when its enrichment is older than 48 hours', { updated: ago(48) - 1 }, 'concluded'],
    ['leaves when no post is left', { posts: 0 }, 'concluded'],
    ['is not kept so by twitter', { platform: 'twitter' }, 'concluded'],
  ] as const)('%s', (_, over, state) => {
    expect(stateOf({ receptions: [aReception(over)] }, 'contested')).toBe(state)
  })

  it('says that it still is one', () => {
    expect(verdict({ receptions: [aReception({ controversy_score: 0.55 })] }, 'contested')).toMatchObject({
      state: 'contested',
      rule: 'contested_still',
    })
  })

  it('is developing again when coverage resumes', () => {
    const resumed = { last_published: ago(1), recent_articles: 4 }

    expect(stateOf({ ...resumed, receptions: [aReception()] }, 'contested')).toBe('developing')
  })
})

describe('a row written after the moment asked about', () => {
  const written = { updated: AT + 1_000 * HOUR_MS }

  it('is as old as its newest post', () => {
    expect(stateOf({ receptions: [aReception({ ...written, newest_post: ago(48) })] })).toBe('contested')
    expect(stateOf({ receptions: [aReception({ ...written, newest_post: ago(49) })] }, 'contested')).toBe('concluded')
  })

  it('by minutes was there', () => {
    const receptions = [aReception({ updated: AT + 60_000, newest_post: ago(49) })]

    expect(stateOf({ receptions }, 'contested')).toBe('contested')
  })
})

const anyReception = fc.record({
  platform: fc.constantFrom(...PLATFORMS),
  controversy_score: fc.double({ min: 0, max: 1, noNaN: true }),
  counter_narrative_confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  posts: fc.nat(20),
  newest_post: fc.integer({ min: ago(100), max: AT }),
  updated: fc.integer({ min: ago(100), max: AT }),
})
const anyFacts = fc.record({
  first_published: fc.integer({ min: ago(300), max: ago(100) }),
  last_published: fc.integer({ min: ago(100), max: AT }),
  recent_origins: fc.nat(6),
  recent_articles: fc.nat(20),
  peak_day_articles: fc.nat(40),
  receptions: fc.array(anyReception, { maxLength: 3 }),
})
const anyState = fc.constantFrom(null, ...LIFECYCLE_STATES)

describe('whatever the facts', () => {
  it('only an earlier contested state makes a difference', () => {
    fc.assert(
      fc.property(anyFacts, anyState, (facts, previous) => {
        const now = lifecycle({ facts, previous, at: AT }, LIFECYCLE)
        const before = previous === 'contested' ? previous : null
        expect(now).toEqual(lifecycle({ facts, previous: before, at: AT }, LIFECYCLE))
      }),
    )
  })

  it('twitter changes nothing', () => {
    fc.assert(
      fc.property(anyFacts, anyState, (facts, previous) => {
        const receptions = facts.receptions.filter(({ platform }) => platform !== 'twitter')
        expect(lifecycle({ facts, previous, at: AT }, LIFECYCLE)).toEqual(
          lifecycle({ facts: { ...facts, receptions }, previous, at: AT }, LIFECYCLE),
        )
      }),
    )
  })

  it('nothing leads back without news: as time passes the state only goes on', () => {
    const order: readonly LifecycleState[] = ['breaking', 'developing', 'mature', 'contested', 'concluded']
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 0, max: 200 * HOUR_MS }), (facts, later) => {
        const now = lifecycle({ facts, previous: null, at: AT }, LIFECYCLE).state
        const quieter = { ...facts, recent_origins: 0, recent_articles: 0 }
        const then = lifecycle({ facts: quieter, previous: now, at: AT + later }, LIFECYCLE).state
        const contests = [now, then].includes('contested')
        expect(contests || order.indexOf(then) >= order.indexOf(now)).toBe(true)
      }),
    )
  })

  it('being contested is easier kept than won', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const won = lifecycle({ facts, previous: null, at: AT }, LIFECYCLE).state
        const kept = lifecycle({ facts, previous: 'contested', at: AT }, LIFECYCLE).state
        expect(won !== 'contested' || kept === 'contested').toBe(true)
      }),
    )
  })

  it('every value is a number, and the text says something', () => {
    fc.assert(
      fc.property(anyFacts, anyState, (facts, previous) => {
        const { values, text } = evaluated({ facts, previous, at: AT })
        expect(Object.values(values).every(Number.isFinite)).toBe(true)
        expect(text).toMatch(/^\S.*\S$/)
      }),
    )
  })
})
