import { describe, expect, it } from 'vitest'
import { ExampleRecorder } from './recorded-examples.ts'

const STORY = 'sto_sr3eekx2bvkcggkdj6dmjr3urw'
const OTHER = 'sto_7b2mzxw5aypc4tn6jrsq3kvhd2'

describe('recorded examples', () => {
  it('are the same for two runs that differ in ids, times, secrets and durations', () => {
    const run = (story: string, other: string, hour: string) => {
      const recorder = new ExampleRecorder({})
      recorder.add(
        'getStory',
        { params: { story_id: story } },
        {
          id: story,
          created_at: `2026-11-22T${hour}:00:00.000Z`,
          updated_at: `2026-11-22T${hour}:30:00.000Z`,
          merged_into: other,
          evidence: { [story]: [other] },
          secret: `whsec_${story.slice(4)}`,
          processing_time_ms: Number(hour),
          first_article_age_hours: Number(hour) / 100,
          next_cursor: story,
        },
      )
      recorder.add('getOther', { params: { story_id: other } }, { id: other, date: `2026-11-${hour}` })
      return recorder.recorded()
    }

    const first = run(STORY, OTHER, '10')

    expect(run(OTHER, STORY, '17')).toEqual(first)
    expect(first['getStory']).toEqual({
      params: { story_id: 'sto_aaaaaaaaaaaaaaaaaaaaaaaaab' },
      answer: {
        id: 'sto_aaaaaaaaaaaaaaaaaaaaaaaaab',
        created_at: '2026-11-22T08:00:00.000Z',
        updated_at: '2026-11-22T08:01:00.000Z',
        merged_into: 'sto_aaaaaaaaaaaaaaaaaaaaaaaaac',
        evidence: { sto_aaaaaaaaaaaaaaaaaaaaaaaaab: ['sto_aaaaaaaaaaaaaaaaaaaaaaaaac'] },
        secret: 'whsec_xxxxxxxxxxxxxxxxxxxxxxxxxx',
        processing_time_ms: 1,
        first_article_age_hours: 1,
        next_cursor: 'eyJhIjoxfQ',
      },
    })
    expect(first['getOther']).toMatchObject({ answer: { id: 'sto_aaaaaaaaaaaaaaaaaaaaaaaaac', date: '2026-11-22' } })
  })

  it('have numbers and flags of a query as values', () => {
    const recorder = new ExampleRecorder({})

    recorder.add('list', { query: { limit: '5', trending: 'true', q: 'bridge 5' } }, {})

    expect(recorder.recorded()['list']?.query).toEqual({ limit: 5, trending: true, q: 'bridge 5' })
  })

  it('shorten lists: two objects, four values', () => {
    const recorder = new ExampleRecorder({})

    recorder.add('list', {}, { items: [{ a: 1 }, { a: 2 }, { a: 3 }], vector: [1, 2, 3, 4, 5] })

    expect(recorder.recorded()).toEqual({ list: { answer: { items: [{ a: 1 }, { a: 2 }], vector: [1, 2, 3, 4] } } })
  })

  it('keep what is not recorded, and the name of each kind of answer', () => {
    const recorder = new ExampleRecorder({
      stream: { answer: 'data: {}' },
      search: { headers: { 'X-A': 'b' }, answers: { article: null, token: null } },
    })

    recorder.add('search', { query: { query: 'a' } }, { level: 'article' })
    recorder.add('search', { query: { query: 'b' } }, { level: 'token' })
    recorder.add('search', { query: { query: 'c' } }, { level: 'third' })

    expect(recorder.recorded()).toEqual({
      stream: { answer: 'data: {}' },
      search: {
        headers: { 'X-A': 'b' },
        query: { query: 'a' },
        answers: { article: { level: 'article' }, token: { level: 'token' } },
      },
    })
  })
})
