import { describe, expect, it } from 'vitest'
import { beyondMemory } from './compare.ts'

const story = (
  cluster_id: string,
  {
    opened,
    newest = opened,
    articles = 1,
  }: { readonly opened: number; readonly newest?: number; readonly articles?: number },
) => ({
  ...{ cluster_id, opened, newest, articles },
})

describe('what the stage may have let go of', () => {
  const stories = [
    story('sto_a', { opened: 0, newest: 9, articles: 2 }), // story has articles again
    story('sto_b', { opened: 1 }),
    story('sto_c', { opened: 2, newest: 3, articles: 2 }),
    story('sto_d', { opened: 4 }),
    story('sto_e', { opened: 5 }),
  ]
  const places = () =>
    [
      ['sto_c', 'thr_old'],
      ['sto_d', 'thr_old'],
      ['sto_e', 'thr_new'],
    ] as const
  const link = (source: string, target: string) => ({ source, target })

  it('is nothing as long as all articles fit', () => {
    const { link: ofLink, thread: place } = beyondMemory(stories, 7, places)

    expect(ofLink(link('sto_a', 'sto_b'))).toBe(false)
    expect(ofLink(link('sto_gone', 'sto_b'))).toBe(false)
    expect(place('sto_c', ['thr_old'])).toBe(false)
  })

  it('is what has a story that left, or came back, on either side', () => {
    const { link: ofLink } = beyondMemory(stories, 4, places) // b and c exceed the budget

    expect(ofLink(link('sto_b', 'sto_e'))).toBe(true)
    expect(ofLink(link('sto_e', 'sto_c'))).toBe(true)
    expect(ofLink(link('sto_a', 'sto_e'))).toBe(true)
    expect(ofLink(link('sto_gone', 'sto_e'))).toBe(true)
    expect(ofLink(link('sto_d', 'sto_e'))).toBe(false)
  })

  it('is the whole of a thread in which such a story is', () => {
    const { thread: place } = beyondMemory(stories, 4, places)

    expect(place('sto_d', [undefined, 'thr_old'])).toBe(true)
    expect(place('sto_e', ['thr_new'])).toBe(false)
    expect(place('sto_b', [])).toBe(true)
  })
})
