import { describe, expect, it } from 'vitest'
import { turningPoints, type ToldChapter } from './turning-points.ts'

/** Each letter is an entity that all of its articles name. */
const chapter = (article_count: number, names = 'a'): ToldChapter => ({
  article_count,
  entities: names.split('').map((id) => ({ id, name: id.toUpperCase(), type: 'PERSON', article_count })),
})

describe('turning points', () => {
  it('are chapters with twice the articles of the median chapter before', () => {
    expect(turningPoints([chapter(2), chapter(4), chapter(6), chapter(5), chapter(3)])).toEqual([
      ...[null, null],
      'It has 6 articles; the median of the chapters before it is 3.',
      ...[null, null],
    ])
  })

  it('are among the most covered quarter of the thread, and have four articles', () => {
    expect(turningPoints([chapter(2), chapter(2), chapter(4), chapter(9)]).map((why) => why !== null)).toEqual([
      ...[false, false, false, true],
    ])
    expect(turningPoints([chapter(1), chapter(1), chapter(3)])).toEqual([null, null, null])
  })

  it('are chapters in which an entity enters that stays', () => {
    expect(turningPoints([chapter(2), chapter(2), chapter(2, 'ab'), chapter(2, 'b'), chapter(2, 'ab')])).toEqual([
      ...[null, null],
      'New in the thread and named again in later chapters: B.',
      ...[null, null],
    ])
  })

  it('are none where the newcomer is named once, by few articles, or is a date', () => {
    const [once, twice] = [chapter(3, 'ab'), [chapter(3, 'ab'), chapter(3, 'ab')]]
    const entering = (over: object): ToldChapter => {
      const { article_count, entities } = once
      return {
        article_count,
        entities: entities.map((entity) => (entity.id === 'b' ? { ...entity, ...over } : entity)),
      }
    }
    const before = [chapter(3), chapter(3)]

    expect(turningPoints([...before, once, chapter(3, 'ab'), chapter(3)])[2]).toBeNull()
    expect(turningPoints([...before, entering({ article_count: 1 }), ...twice])[2]).toBeNull()
    expect(turningPoints([...before, entering({ type: 'DATE' }), ...twice])[2]).toBeNull()
    expect(turningPoints([...before, once, ...twice])[2]).not.toBeNull()
  })
})
