import { describe, expect, it } from 'vitest'
import { outcomeIn, turningPoints, type TimelineChapter } from './turning-points.ts'

/**
 * Each letter is a person that all articles of a chapter mention. Chapters are ten days apart unless a day is given.
 */
interface ChapterOptions {
  readonly names?: string
  readonly day?: number
  readonly titles?: readonly string[]
}

const chapter = (article_count: number, { names = 'a', day, titles = [] }: ChapterOptions = {}) => ({
  day,
  article_count,
  headlines: Array.from({ length: article_count }, (_, i) => ({ title: titles[i] ?? 'Harbour news', genre: 'report' })),
  entities: names.split('').map((id) => ({ id, name: id.toUpperCase(), type: 'PERSON', article_count })),
})

const timeline = (...chapters: readonly ReturnType<typeof chapter>[]): readonly TimelineChapter[] =>
  chapters.map(({ day, ...rest }, i) => ({
    ...rest,
    created_at: new Date(Date.UTC(2016, 4, 1 + (day ?? 10 * i))).toISOString(),
  }))

const isTurn = (...chapters: readonly ReturnType<typeof chapter>[]) =>
  turningPoints(timeline(...chapters)).map((why) => why !== null)

describe('turning points', () => {
  it('are chapters whose headlines report an outcome, and say which', () => {
    const vote = chapter(3, { titles: ['Senate approves the bridge', 'Harbour talk'] })

    expect(turningPoints(timeline(chapter(3), chapter(3), vote, chapter(3)))).toEqual([
      ...[null, null],
      'Its headlines report a vote or an act of law: “Senate approves the bridge”.',
      null,
    ])
  })

  it('are not chapters where one headline of many reports an outcome, or only an opinion does', () => {
    const one = chapter(9, { titles: ['Senate approves the bridge'] })
    const opinion = chapter(2, { titles: ['Senate approves the bridge'] })
    const said = { ...opinion, headlines: opinion.headlines.map((headline) => ({ ...headline, genre: 'opinion' })) }

    expect(isTurn(chapter(9), chapter(9), one)).toEqual([false, false, false])
    expect(isTurn(chapter(2), chapter(2), said)).toEqual([false, false, false])
  })

  it('are chapters with twice the articles of the median chapter before', () => {
    expect(turningPoints(timeline(chapter(2), chapter(4), chapter(6), chapter(5), chapter(3)))).toEqual([
      ...[null, null],
      'It has 6 articles; the median of the chapters before it is 3.',
      ...[null, null],
    ])
  })

  it('are first chapters with twice the articles of the median chapter after', () => {
    expect(turningPoints(timeline(chapter(8), chapter(2), chapter(3)))).toEqual([
      'The thread begins with 8 articles; the median of the later chapters is 2.5.',
      ...[null, null],
    ])
  })

  it('have four articles, half of the largest chapter, and are the most covered within three days', () => {
    expect(isTurn(chapter(1), chapter(1), chapter(3))).toEqual([false, false, false])
    expect(isTurn(chapter(2), chapter(2), chapter(4), chapter(9))).toEqual([false, false, false, true])
    const early = [chapter(1, { day: 0 }), chapter(1, { day: 10 }), chapter(1, { day: 20 }), chapter(1, { day: 30 })]
    expect(isTurn(...early, chapter(8, { day: 40 }), chapter(9, { day: 42 }))).toEqual([
      ...[false, false, false, false, false, true],
    ])
    expect(isTurn(...early, chapter(8, { day: 40 }), chapter(9, { day: 44 }))).toEqual([
      ...[false, false, false, false, true, true],
    ])
  })

  it('are one in five chapters and five at most, the strongest', () => {
    const vote = (articles: number) =>
      chapter(articles, { titles: Array.from({ length: articles }, () => 'Senate approves the bridge') })

    expect(isTurn(vote(2), vote(3), vote(2))).toEqual([false, true, false])
    expect(isTurn(...Array.from({ length: 40 }, () => vote(2))).filter(Boolean)).toHaveLength(5)
  })

  it('name persons who enter and stay, and are none for that alone', () => {
    const stays = chapter(2, { names: 'ab' })
    const entering = chapter(6, { names: 'ab' })
    const place = { ...entering, entities: entering.entities.map((entity) => ({ ...entity, type: 'GPE' })) }

    expect(turningPoints(timeline(chapter(2), chapter(2), entering, stays, stays))[2]).toBe(
      'It has 6 articles; the median of the chapters before it is 2. New in the thread and named again in later chapters: B.',
    )
    expect(turningPoints(timeline(chapter(2), chapter(2), place, stays, stays))[2]).not.toContain('New in the thread')
    expect(turningPoints(timeline(chapter(2), chapter(2), entering, stays, chapter(2)))[2]).not.toContain('New in')
    expect(isTurn(chapter(2), chapter(2), stays, stays, stays)).toEqual([false, false, false, false, false])
  })
})

describe('the outcome in a headline', () => {
  it.each([
    ['Bridge inspector arrested at the airport', 'an arrest or a charge'],
    ['Appeals court refuses to reinstate the ban', 'a verdict or a ruling'],
    ['Minister resigns after report on the harbour', 'a resignation, a dismissal or a withdrawal'],
    ['Judge sworn in as head of the court', 'an appointment or an election'],
    ['House passes sweeping harbour bill', 'a vote or an act of law'],
    ['Senators strike deal to end the strike', 'an agreement'],
    ['China retaliates with tariffs on imports', 'an attack or a sanction'],
    ['Former mayor dies at 81', 'a death or an attack'],
  ])('%s: %s', (headline, outcome) => {
    expect(outcomeIn(headline)).toBe(outcome)
  })

  it.each([
    'Minister vows to stay until the bill passes',
    'Senate could vote on the bill today',
    "Mayor won't be fired, the council says",
    'Chief talks of the inquiry after the minister was fired',
    'Is the bill dead?',
    "Two senators call the bill 'dead'",
    'Opinion: The House passes a bad bill',
    'Why the minister resigned',
    'Critics see signs of improper ties',
    'North claims it has won the war',
    'Harbour bridge to close for two years',
  ])('none: %s', (headline) => {
    expect(outcomeIn(headline)).toBeNull()
  })
})
