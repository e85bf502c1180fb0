import { describe, expect, it } from 'vitest'
import { centralHeadline, type Headline, shownHeadline } from './central-headline.ts'

const headline = (title: string | null, over: Partial<Headline> = {}): Headline => ({
  article_id: `art ${title ?? ''}`,
  title,
  genre: 'report',
  similarity: 0.8,
  ...over,
})
const titleOf = (...headlines: readonly Headline[]) => centralHeadline(headlines)?.title

const REPORT = headline('Council closes harbour bridge for two years', { similarity: 0.7 })

describe('the title of a story', () => {
  it.each([
    headline('The great bridge war is upon us', { genre: 'opinion', similarity: 0.95 }),
    headline('What the closing of the bridge means for the harbour', { genre: 'analysis', similarity: 0.85 }),
    headline('5 things to know about the harbour bridge', { genre: 'explainer', similarity: 0.9 }),
    headline('Harbour bridge live updates: council votes', { genre: 'live_blog', similarity: 0.9 }),
    headline('Is the harbour bridge about to fall?', { similarity: 0.9 }),
    headline('“We cannot wait any longer”', { similarity: 0.9 }),
    headline('OPINION: Close the harbour bridge at last', { similarity: 0.9 }),
    headline('This is what happened to the bridge', { similarity: 0.85 }),
    headline('Quill: Opening Statement Text', { similarity: 0.85 }),
    headline('From friends to foes of the bridge, see who sits on the council', { similarity: 0.85 }),
    headline('Harbour’s “merry merchants” made bridge “catastrophe to come”', { similarity: 0.78 }),
  ])('is the headline of a report, though this is nearer to the centre: $title', (other) => {
    expect(titleOf(other, REPORT)).toBe(REPORT.title)
  })

  it('is what there is where no report is', () => {
    expect(titleOf(headline('The great bridge war is upon us', { genre: 'opinion' }))).toBe(
      'The great bridge war is upon us',
    )
    expect(centralHeadline([headline(null)])).toEqual({ article_id: 'art ', title: null })
    expect(centralHeadline([])).toBeNull()
  })

  it('stays while a later headline is not clearly better', () => {
    const later = headline('Council shuts harbour bridge for two years', { similarity: 0.72 })
    const better = headline('Council shuts harbour bridge for two years', { similarity: 0.85 })

    expect(titleOf(REPORT, later)).toBe(REPORT.title)
    expect(titleOf(REPORT, better)).toBe(better.title)
  })

  it('reports what happened, not what is to come', () => {
    const preview = headline('Council set to vote on harbour bridge', { similarity: 0.83 })
    const outcome = headline('Council votes down plan for harbour bridge', { similarity: 0.75 })

    expect(titleOf(preview, outcome)).toBe(outcome.title)
  })

  it('has words that other headlines have, too', () => {
    const alone = headline('Merchants mourn lost trade', { similarity: 0.82 })
    const other = headline('Harbour bridge closed by council', { similarity: 0.7 })

    expect(titleOf(alone, REPORT, other)).toBe(REPORT.title)
  })
})

it.each([
  ['Trump Fires Attorney General  Listen· 3:37', 'Trump Fires Attorney General'],
  ['Problems of the Order   Read more at: http://www.example.com/a', 'Problems of the Order'],
  ['BREAKING: Bridge closed', 'Bridge closed'],
  ['Mayor closes bridge  Ada Quill  Daily Harbour Staff Thursday May 3', 'Mayor closes bridge'],
  ['Mayor Fires Three Members of Harbour Staff', 'Mayor Fires Three Members of Harbour Staff'],
  ['Bridge  closed', 'Bridge closed'],
  ['https://example.com/a', 'https://example.com/a'],
])('%s is shown as %s', (given, shown) => {
  expect(shownHeadline(given)).toBe(shown)
})
