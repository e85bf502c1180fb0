import { describe, expect, it } from 'vitest'
import { aPost, aStoryArticle } from '../../../test/builders/discourse.ts'
import { live } from '../../../test/builders/enriched.ts'
import { quoted } from './scores.ts'

const WORDS =
  'amber birch cedar delta ember fjord grove heron islet jetty knoll lagoon marsh nomad otter plume quarry ridge stone tidal umber vale'.split(
    ' ',
  )
const said = (texts: readonly string[], from = 0) => texts.map((text, i) => aPost({ post_id: `p${from + i}`, text }))
const received = async (...texts: readonly string[]) => (await live([aStoryArticle(), ...said(texts)])).last
const times = (n: number, text: (i: number) => string) => Array.from({ length: n }, (_, i) => text(i))

const sameDenial = (i: number) => `Fake: the toll contract ran out, ${WORDS[i] ?? i}.`
const anyDenial = (i: number) => `Fake ${WORDS[i] ?? i}.`
const remark = (i: number) => `Saw it near ${WORDS[21 - i] ?? i} yesterday.`

describe('controversy', () => {
  it('of forty who are evenly split is high, of three near nothing, of those who agree nothing', async () => {
    const agree = (i: number) => `Confirmed, ${WORDS[i] ?? i} too.`
    const [split, three, all] = [
      await received(...times(20, agree), ...times(20, anyDenial)),
      await received('Confirmed.', 'Fake.', 'A lie.'),
      await received(...times(20, agree)),
    ]

    expect(split?.controversy_score).toBeGreaterThan(0.6)
    expect(three?.controversy_score).toBeLessThan(0.1)
    expect(all?.controversy_score).toBe(0)
  })

  it('counts a person once, however often he says it', async () => {
    const one = times(20, anyDenial).map((text, i) => aPost({ post_id: `x${i}`, text, author: 'the same' }))
    const { last } = await live([aStoryArticle(), ...said(times(20, (i) => `Confirmed, ${WORDS[i] ?? i}.`)), ...one])

    expect(last?.sample.authors).toBe(21)
    expect(last?.controversy_score).toBeLessThan(0.1)
  })
})

describe('a counter-narrative', () => {
  it('of twenty who tell the same among thirty is sure; of as many who share nothing much less so', async () => {
    const [same, any] = [
      await received(...times(20, sameDenial), ...times(10, remark)),
      await received(...times(20, anyDenial), ...times(10, remark)),
    ]

    expect(same?.counter_narrative_confidence).toBeGreaterThan(0.7)
    expect(any?.counter_narrative_confidence).toBeLessThan(0.5)
    expect(times(20, sameDenial)).toContain(same?.counter_narrative_summary)
    expect(same?.evidence.counter_narrative).toHaveLength(20)
  })

  it('of three comments never reaches 0.7, and five copies of one post count once', async () => {
    const three = await received(...times(3, sameDenial))
    const copies = await received(
      'Fake: the toll contract ran out.',
      'fake the TOLL contract ran out!!',
      'RT @somebody: Fake: the toll contract ran out.',
      'Fake: the toll contract ran out. https://x.example/1 #toll',
      '@friend Fake: the toll contract ran out',
    )

    expect(three?.counter_narrative_confidence).toBe(0)
    expect(copies).toMatchObject({
      comment_count_analyzed: 5,
      counter_narrative_detected: false,
      sample: { posts: 1, authors: 1 },
    })
  })

  it('is not made by one text that is lightly edited again and again', async () => {
    const text = (i: number) =>
      `They lie to you about the harbour bridge because the mayor has sold the toll contract to her own brother last year ${WORDS[i] ?? i}`

    expect(await received(...times(12, text))).toMatchObject({
      counter_narrative_detected: false,
      sample: { posts: 1 },
    })
  })
})

describe('a quote', () => {
  it('is the post word for word, cut at the end of a word where it is long', () => {
    const long = times(100, (i) => `word${i}`).join(' ')

    expect(quoted('As it is.')).toBe('As it is.')
    expect(quoted(long).length).toBeLessThanOrEqual(280)
    expect(long.startsWith(quoted(long).slice(0, -1))).toBe(true)
    expect(quoted(long)).toMatch(/word\d+…$/u)
    expect(Array.from(quoted('x'.repeat(300)))).toHaveLength(280)
  })
})

describe('novel entities', () => {
  it('are none that newspapers name otherwise, and variants of one are one', async () => {
    const record = await received(
      'trust Ada Quilll on it',
      'so said Ms Quill',
      'ask Walter Reed now',
      'that Walter Read again',
    )

    expect(record?.public_entities).toContain('Ada Quill')
    expect(record?.novel_entities).toEqual(['Walter Read'])
  })
})
