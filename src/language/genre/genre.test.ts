import { describe, expect, it } from 'vitest'
import { readGenreModel } from '../../adapters/model-files.ts'
import type { GenreText } from './cues.ts'
import { genreCues, genreOf, layerOf } from './genre.ts'

const model = readGenreModel()

const REPORT = `LINDENAU — The city council voted on Tuesday to close the old harbour bridge for two years of repairs, officials said.

Engineers found cracks in four of its twelve steel arches during an inspection last autumn, the mayor, Ada Quill, told reporters.

“We know that this will be hard for many families,” she said after the vote.

The work is to cost 48.5 million dollars, of which the state promised to pay one third, according to a statement released on Monday.

Shop owners near the bridge said they feared that customers would stay away. A spokesman for the port declined to comment.`

const OPINION = `I have walked across the old harbour bridge every morning of my life, and I am sick of the excuses we are given. We should be ashamed of ourselves.

Of course the council says there is no money. Nonsense! There is always money for the friends of the mayor, and never for us. Is anybody surprised? You should not be.

Let's be honest: we must stop electing people who cannot count. Our city needs leaders who simply do their work, and we ought to demand nothing less. Surely that is not too much. If you agree, you must say so, and loudly. The truth is that we have let them get away with it, and that is our own fault.`

const article = (over: Partial<GenreText> = {}): GenreText => ({
  url: 'https://www.example.com/news/2016/05/03/harbour-bridge',
  title: 'Harbour bridge to close for two years, council says',
  source: 'Example Times',
  author: 'Jane Doe',
  body: REPORT,
  language: 'en',
  ...over,
})
const genre = (over: Partial<GenreText> = {}) => genreOf(article(over), model)

describe('the genre of an article', () => {
  it('is report where the text says what happened', () => {
    expect(genre()).toBe('report')
  })

  it('is opinion where the text argues as somebody, wherever it stands', () => {
    expect(genre({ title: 'We should be ashamed of our bridge', body: OPINION })).toBe('opinion')
  })

  it.each([
    ['its section', { url: 'https://example.com/opinion/2016/05/03/harbour-bridge', body: OPINION }],
    ['its label', { title: 'Opinion: A bridge of excuses', body: OPINION }],
    ['a suffix of its source', { source: 'Example Times - Opinion', body: OPINION }],
  ])('is opinion by %s', (_, over) => {
    expect(genre(over)).toBe('opinion')
  })

  it.each([
    ['live_blog', { url: 'https://example.com/politics/live/2016/may/03/bridge' }],
    ['live_blog', { title: 'Harbour bridge live updates: council votes' }],
    ['roundup', { title: 'Your Tuesday Briefing: bridge, budget, ballots' }],
    ['press_digest', { title: 'What the papers say about the bridge' }],
  ])('is %s where the address or the headline names it', (expected, over) => {
    expect(genre(over)).toBe(expected)
  })

  it('is explainer where a headline of that form stands over questions and headings', () => {
    const body = `${REPORT}\n\nWhat is wrong with the bridge?\n\nIt is old.\n\nWho pays?\n\nThe city and the state.\n\nWhat happens next?\n\n${REPORT}`

    expect(genre({ title: 'The harbour bridge, explained', url: 'https://example.com/a/bridge-explained', body })).toBe(
      'explainer',
    )
  })

  it('is what its text says where neither the outlet nor the section of the address was learned from', () => {
    const unseen = 'https://nowhere.invalid/qzx/harbour-bridge'

    expect(genre({ url: unseen })).toBe(genre({ url: null }))
    expect(genre({ url: unseen, title: 'We should be ashamed of our bridge', body: OPINION })).toBe('opinion')
  })

  it('is report where nothing is known', () => {
    const nothing = { url: null, title: null, source: null, author: null, body: '', language: 'und' }

    expect(genreOf(nothing, model)).toBe('report')
    expect(genre({ body: '', language: 'und' })).toBe('report')
  })

  it('leaves wording in other languages out, but not their sections', () => {
    const german = {
      title: 'Hafenbrücke in Lindenau wird für zwei Jahre gesperrt',
      body: 'Der Stadtrat hat am Dienstag beschlossen, die alte Brücke zu sperren. '.repeat(30),
      language: 'de',
    }

    expect(layerOf(article(german))).toBe('headline')
    expect(genre(german)).toBe('report')
    expect(genre({ ...german, url: 'https://example.de/meinung/hafenbruecke' })).toBe('opinion')
  })
})

it('every cue is 0 to 1, whatever the text', () => {
  for (const body of [
    REPORT,
    OPINION,
    '?'.repeat(9_000),
    '12:30 '.repeat(3_000),
    '"'.repeat(999),
    'word\n'.repeat(400),
  ])
    for (const [name, value] of genreCues(article({ body, title: body, url: body }), 'text'))
      expect([name, value >= 0 && value <= 1]).toEqual([name, true])
})

it('the model has a weight for each cue', () => {
  expect([...genreCues(article(), 'text').keys()]).toEqual(model.text.names)
  expect([...genreCues(article(), 'headline').keys()]).toEqual(model.headline.names)
})
