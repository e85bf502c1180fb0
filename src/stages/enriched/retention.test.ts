import { describe, expect, it } from 'vitest'
import { aPost, aStoryArticle } from '../../../test/builders/discourse.ts'
import { aTick, contentOf, fold, live } from '../../../test/builders/enriched.ts'
import { emptyState } from './discourse.ts'

/** Denials that the harbour closed, each in different words. */
const DENIALS = [
  'A hoax: nobody closes anything, the toll contract just ran out.',
  'This is fake, the toll contract ran out and that is all.',
  'Not true, they only want a new toll contract.',
  'A lie to sell another toll contract to us.',
  'Nonsense, ask who signed the toll contract.',
  'Wrong again: toll contract, nothing else, you will see.',
]
const denials = DENIALS.map((text, i) => aPost({ post_id: `d${i}`, text, created_at: aPost().created_at + i }))

const HOUR = 3_600_000
/** The first post is logged at 1,000. */
const ALL_GONE = aTick(HOUR + 1_100)
const given = { textMs: HOUR }

describe('the text of a post', () => {
  it('goes when it has been kept long enough, and what follows from it stays', async () => {
    const before = await live([aStoryArticle(), ...denials], given)
    const { state, last, outcomes } = await live([aStoryArticle(), ...denials, aTick(HOUR + 999), ALL_GONE], given)

    const posts = [...(state.namespaces.get('shared')?.posts.inOrder().values() ?? [])]
    expect(outcomes.at(-2)).toMatchObject({ kind: 'skip', reason: 'nothing_waits' })
    expect(posts.map(({ text }) => text)).toEqual(DENIALS.map(() => ''))
    expect(posts[0]?.words).toContain('toll')
    expect({ ...last, counter_narrative_summary: '', event_id: '', caused_by: null }).toEqual({
      ...before.last,
      ...{ counter_narrative_summary: '', event_id: '', caused_by: null },
    })
  })

  it('leaves the records that quote it: for another that is kept, else for a count', async () => {
    const fresh = aPost({
      post_id: 'd9',
      text: 'Fake, whoever signed the toll contract should say so.',
      created_at: aPost().created_at + 50,
    })
    const some = await live([aStoryArticle(), ...denials, aTick(HOUR + 1_004), fresh, aTick(HOUR + 1_005)], given)
    const none = await live([aStoryArticle(), ...denials, ALL_GONE], given)

    expect([DENIALS[5], fresh.text]).toContain(some.last?.counter_narrative_summary)
    expect(none.last).toMatchObject({
      counter_narrative_detected: true,
      counter_narrative_summary: '6 of 6 authors dispute it; their words are no longer kept',
    })
    const quoting = none.emitted.filter(({ counter_narrative_summary: quote }) => DENIALS.includes(quote ?? ''))
    const ticked = none.emitted.filter(({ caused_by }) => caused_by?.topic === 'clock.ticked')
    for (const { occurred_at } of quoting) expect(ticked.map((one) => one.occurred_at)).toContain(occurred_at)
  })

  it('is gone after a restart too, and copies of it are still known', async () => {
    const { state, changelog } = await live([aStoryArticle(), ...denials, ALL_GONE], given)
    const again = aPost({ post_id: 'copy', text: DENIALS[0]?.toUpperCase() ?? '', created_at: aPost().created_at + 99 })
    const { last } = await live([aStoryArticle(), ...denials, ALL_GONE, again], given)

    const newest = [...new Map(changelog.map((entry) => [entry.key, entry])).values()]
    expect(contentOf(newest.reverse().reduce(fold, emptyState()))).toEqual(contentOf(state))
    expect(last).toMatchObject({ comment_count_analyzed: 7, sample: { posts: 6 } })
  })
})
