import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { contentHash, syndicationGroup } from '../../events/ids.ts'
import { EDITS } from '../../quality/reprint-edits.ts'
import { seeded } from '../../quality/seeded-random.ts'
import { aClusterer, aReport, inOrder, live, madeUpReport, undated } from '../../../test/builders/clustered.ts'

/** A long generated report. Each `about` gives a different text. */
function aStory(about: string): string {
  const random = seeded(about)
  const word = () => Array.from({ length: (3 + random() * 5) | 0 }, () => 'aeioulnrst'[(random() * 10) | 0]).join('')
  return Array.from({ length: 24 }, () => `The ${Array.from({ length: 11 }, word).join(' ')}.`).join(' ')
}

const HARBOUR = aStory('harbour')

/** Outlet `outlet` prints `text` on day `day`. */
function prints(outlet: number, text: string, day = 0): ArticleAnalyzed {
  const report = madeUpReport({ event: outlet % 3, outlet, day })
  return aReport({ ...report, text, content_hash: contentHash(report.title, text), event_id: `evt_${outlet}_${day}` })
}

const edited = (edit: keyof typeof EDITS, text = HARBOUR) =>
  EDITS[edit]({ text, foreign: aStory('foreign'), random: seeded(edit) })

const originsOf = (...articles: ArticleAnalyzed[]) =>
  live(aClusterer(), inOrder(articles)).events.map(({ origin }) => origin)

const groupOf = ({ article_id }: ArticleAnalyzed) => syndicationGroup('shared', article_id)

describe('whose text an article is', () => {
  it('its own when no other is near', () => {
    const [first, second] = [prints(0, HARBOUR), prints(1, aStory('flood'))]

    expect(originsOf(first, second)).toEqual([
      { syndication_group: groupOf(first), duplicate_of: null, derived_from: null, translation: null, containment: 0 },
      { syndication_group: groupOf(second), duplicate_of: null, derived_from: null, translation: null, containment: 0 },
    ])
  })

  it.each(['byline', 'cut60', 'cut30', 'light5', 'sent25'] as const)('the first to arrive has it: %s', (edit) => {
    const first = prints(0, HARBOUR)

    expect(originsOf(first, prints(1, edited(edit)))[1]).toMatchObject({
      syndication_group: groupOf(first),
      duplicate_of: first.article_id,
      derived_from: null,
    })
  })

  it('the original, of which a copy was copied, while it is near enough itself', () => {
    const first = prints(0, HARBOUR)
    const copy = prints(1, edited('light5'))

    expect(originsOf(first, copy, prints(2, edited('byline', copy.text)))[2]).toMatchObject({
      syndication_group: groupOf(first),
      duplicate_of: first.article_id,
    })
  })

  it('its own, made from another, when it holds a third of that', () => {
    const first = prints(0, HARBOUR)
    const quoting = prints(1, `${HARBOUR.slice(0, HARBOUR.length / 2)} ${aStory('quoting').slice(0, HARBOUR.length)}`)
    const [, origin] = originsOf(first, quoting)

    expect(origin).toMatchObject({
      syndication_group: groupOf(quoting),
      duplicate_of: null,
      derived_from: first.article_id,
    })
    expect(origin?.containment).toBeGreaterThan(0.25)
    expect(origin?.containment).toBeLessThan(0.6)
  })

  it('another’s, of any length, when it is the same word for word', () => {
    const first = prints(0, 'Rain fell on the town all day and the square stood under water, the mayor said.')

    expect(originsOf(first, prints(1, `(Reuters) - ${first.text}`))[1]).toMatchObject({
      duplicate_of: first.article_id,
      containment: 1,
    })
  })

  it('never that of another namespace', () => {
    const [first, theirs] = [prints(0, HARBOUR), { ...prints(1, HARBOUR), namespace: 'acme-news' }]

    expect(originsOf(first, theirs)[1]).toEqual({
      syndication_group: syndicationGroup('acme-news', theirs.article_id),
      duplicate_of: null,
      derived_from: null,
      translation: null,
      containment: 0,
    })
  })

  it('looks three days far in both directions, and any distance where a date is missing', () => {
    const first = prints(0, HARBOUR, 10)
    const found = (later: ArticleAnalyzed) => originsOf(first, later)[1]?.duplicate_of

    expect([7, 13].map((day) => found(prints(1, HARBOUR, day)))).toEqual([first.article_id, first.article_id])
    expect([6.9, 13.1].map((day) => found(prints(1, HARBOUR, day)))).toEqual([null, null])
    expect(found(undated(prints(1, HARBOUR), 40))).toBe(first.article_id)
  })
})

describe('a revision', () => {
  const revised = (article: ArticleAnalyzed, text: string) =>
    aReport({ ...article, text, content_hash: contentHash(article.title, text), event_id: `${article.event_id}-2` })

  it('is no duplicate of itself, nor of its copies', () => {
    const first = prints(0, HARBOUR)
    const own = { syndication_group: groupOf(first), duplicate_of: null, derived_from: null, translation: null }

    expect(originsOf(first, revised(first, edited('light5')))[1]).toEqual({ ...own, containment: 0 })
    expect(originsOf(first, prints(1, HARBOUR), revised(first, edited('light5')))[2]).toMatchObject(own)
  })

  it('of another text leaves its group to its copies', () => {
    const first = prints(0, HARBOUR)
    const origins = originsOf(first, prints(1, HARBOUR), revised(first, aStory('flood')), prints(2, HARBOUR))

    expect(origins[2]).toMatchObject({ duplicate_of: null, containment: 0 })
    expect(origins[2]?.syndication_group).not.toBe(groupOf(first))
    expect(origins[3]).toMatchObject({ syndication_group: groupOf(first), duplicate_of: prints(1, HARBOUR).article_id })
  })

  it('of another text leaves its group also when its copies are forgotten, and founds the same one again', () => {
    const first = prints(0, HARBOUR)
    const origins = originsOf(first, revised(first, aStory('flood')), prints(1, aStory('flood')))

    expect(origins[1]?.syndication_group).not.toBe(groupOf(first))
    expect(origins[2]).toMatchObject({
      syndication_group: origins[1]?.syndication_group,
      duplicate_of: first.article_id,
    })
  })

  it('is no duplicate of copies of its second text either', () => {
    const first = prints(0, HARBOUR)
    const second = revised(first, aStory('flood'))
    const third = revised(second, edited('light5', aStory('flood')))
    const fourth = revised(third, edited('byline', aStory('flood').slice(3)))
    const origins = originsOf(first, second, prints(1, aStory('flood')), third, fourth)

    for (const origin of origins.slice(3)) {
      expect(origin).toMatchObject({ syndication_group: origins[1]?.syndication_group, duplicate_of: null })
    }
  })

  it('keeps its group while it is much the same text, step by step', () => {
    const first = prints(0, HARBOUR)
    const second = revised(first, edited('cut60'))
    const third = revised(second, edited('light5', second.text))

    expect(originsOf(first, second, third).map((origin) => origin?.syndication_group)).toEqual(
      [first, first, first].map(groupOf),
    )
  })

  it('becomes a duplicate when it takes over another text', () => {
    const [first, second] = [prints(0, HARBOUR), prints(1, aStory('flood'))]

    expect(originsOf(first, second, revised(second, HARBOUR))[2]).toMatchObject({
      syndication_group: groupOf(first),
      duplicate_of: first.article_id,
    })
  })
})

describe('the memory of texts', () => {
  const copies = fc.array(
    fc.record({ of: fc.nat(5), outlet: fc.nat(25), day: fc.integer({ min: 0, max: 8 }), namespace: fc.nat(1) }),
    { minLength: 2, maxLength: 40 },
  )
  const texts = Array.from({ length: 6 }, (_, i) =>
    i === 5 ? 'A short text of nine words and no more.' : aStory(`text ${i}`),
  )
  const news = (of: typeof copies extends fc.Arbitrary<infer T> ? T : never) =>
    of.map(({ of: i, outlet, day, namespace }, at) => ({
      ...prints(outlet, `${texts[i] ?? ''} Printed ${at % 4}.`, day),
      namespace: namespace === 0 ? 'shared' : 'acme-news',
      event_id: `evt_${at}`,
    }))

  it('goes on after a restart as if it had never stopped, in whatever order its entries come back', () => {
    fc.assert(
      fc.property(
        copies,
        fc.nat(40),
        fc.constantFrom(3, 9, 1_000),
        fc.constantFrom(5, 1_000),
        fc.nat(),
        (of, cut, kept, budget, seed) => {
          const stage = aClusterer(budget, kept)
          const inputs = inOrder(news(of))
          const before = live(stage, inputs.slice(0, cut))
          const random = seeded(String(seed))
          const entries = [...new Map(before.entries.map((entry) => [entry.key, entry])).values()]
            .map((entry) => ({ entry, at: random() }))
            .sort((a, b) => a.at - b.at)
          let state = stage.memory.empty()
          for (const { entry } of entries) state = stage.memory.evolve(state, entry)
          const whole = live(stage, inputs)

          expect([...before.events, ...live(stage, inputs.slice(cut), { state, rows: before.rows }).events]).toEqual(
            whole.events,
          )
        },
      ),
      { numRuns: 40 },
    )
  })

  it('reaches so many records back and no further', () => {
    const between = (count: number) => Array.from({ length: count }, (_, i) => prints(i + 2, aStory(`other ${i}`)))
    const found = (count: number) =>
      live(aClusterer(1_000, 10), inOrder([prints(0, HARBOUR), ...between(count), prints(1, HARBOUR)])).events.at(-1)
        ?.origin

    expect(found(9)?.duplicate_of).toBe(prints(0, HARBOUR).article_id)
    expect(found(10)?.duplicate_of).toBeNull()
  })

  it('of a quiet namespace is not pushed out by a busy one', () => {
    const theirs = { ...prints(0, HARBOUR), namespace: 'acme-news' }
    const busy = Array.from({ length: 30 }, (_, i) => prints(i + 2, aStory(`other ${i}`)))
    const copy = { ...prints(1, HARBOUR), namespace: 'acme-news' }
    const { events, state } = live(aClusterer(1_000, 10), inOrder([theirs, ...busy, copy]))

    expect(events.at(-1)?.origin?.duplicate_of).toBe(theirs.article_id)
    expect(state.recent.size).toBe(10)
  })

  it('copies nothing of a restored text that it does not keep', () => {
    const stage = aClusterer(1_000, 2)
    const { entries } = live(stage, inOrder([prints(0, HARBOUR), prints(1, HARBOUR), prints(2, HARBOUR)]))
    const read: string[] = []
    let state = stage.memory.empty()
    for (const { key, value } of entries.toReversed()) {
      if (value === null) continue
      const { text_sample, ...record } = value
      const watched = {
        ...record,
        get text_sample() {
          read.push(key)
          return text_sample
        },
      }
      state = stage.memory.evolve(state, { key, value: watched })
    }

    expect(new Set(read)).toEqual(new Set(entries.slice(1).map(({ key }) => key)))
  })

  it('reads what was remembered before there were texts', () => {
    const stage = aClusterer()
    const { entries } = live(stage, inOrder([prints(0, HARBOUR)]))
    const none = { text_hash: '', text_sample: Buffer.alloc(0), text_bands: Buffer.alloc(0), syndication_group: '' }
    let state = stage.memory.empty()
    for (const { key, value } of entries) {
      state = stage.memory.evolve(state, { key, value: value === null ? null : { ...value, ...none } })
    }

    expect(live(stage, inOrder([prints(1, HARBOUR)], 1), { state }).events[0]?.origin?.duplicate_of).toBeNull()
  })
})
