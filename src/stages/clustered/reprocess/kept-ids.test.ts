import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blocksOf, type ClusteredBlocksMove, keptIds, type KeptIdOptions, type ReplacedArticle } from './kept-ids.ts'

const naming = (placed: readonly ReplacedArticle[]): KeptIdOptions => ({
  own: (article) => `sto of ${article}`,
  given: new Set(placed.map(({ before }) => before)),
  spare: (article) => `spare of ${article}`,
})

const placedAs = (rows: string): ReplacedArticle[] =>
  rows.split(' ').map((row) => {
    const [article = '', before = '', after = ''] = row.split('/')
    return { article, before, after: after === '-' ? null : after, pinned: article.endsWith('!') }
  })

const ids = (rows: string): Record<string, string> => {
  const placed = placedAs(rows)
  return Object.fromEntries(keptIds(placed, naming(placed)))
}

describe('the ids of stories', () => {
  it('an id stays with the larger part of its story, the rest has the new id', () => {
    expect(ids('a/X/p b/X/p c/X/q')).toEqual({ a: 'X', b: 'X', c: 'q' })
  })

  it('of two equal parts it stays with the article it is called after', () => {
    const placed = placedAs('a/X/p b/X/q')

    const found = keptIds(placed, {
      ...naming(placed),
      own: (article) => (article === 'b' ? 'X' : `sto of ${article}`),
    })

    expect(Object.fromEntries(found)).toEqual({ a: 'p', b: 'X' })
  })

  it('a story made of two takes the id with which it shares most', () => {
    expect(ids('a/X/p b/Y/p c/Y/p')).toEqual({ a: 'Y', b: 'Y', c: 'Y' })
  })

  it('an id that somebody had is never given to another story', () => {
    expect(ids('a/X/X b/X/Y c/X/Y d/Y/Z')).toEqual({ a: 'sto of a', b: 'X', c: 'X', d: 'Y' })
  })

  it('what is bound, or what the new version does not know, stays', () => {
    expect(ids('a!/X/p b/X/p c/Y/p d/Y/p e/Y/p f/Z/-')).toEqual({
      ...{ 'a!': 'X', b: 'Y', c: 'Y', d: 'Y', e: 'Y', f: 'Z' },
    })
  })
})

const some = fc
  .array(
    fc.record({
      before: fc.integer({ min: 0, max: 6 }),
      after: fc.option(fc.integer({ min: 0, max: 6 }), { freq: 8 }),
      pinned: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
    { maxLength: 40 },
  )
  .map((rows) =>
    rows.map(({ before, after, pinned }, i): ReplacedArticle => ({
      article: `a${i}`,
      // sometimes both versions use the same id for different articles
      before: `sto of a${before}`,
      after: after === null ? null : `sto of a${after}`,
      pinned,
    })),
  )

const movesOf = (placed: readonly ReplacedArticle[]): ClusteredBlocksMove[] => {
  const found = keptIds(placed, naming(placed))
  return placed.map(({ article, before }) => ({ article, from: before, to: found.get(article) ?? '' }))
}

describe('for any two partitions', () => {
  it('articles that are free are together exactly where the new version has them together', () => {
    fc.assert(
      fc.property(some, (placed) => {
        const found = keptIds(placed, naming(placed))
        const free = placed.filter(({ after, pinned }) => after !== null && !pinned)
        for (const a of free) {
          for (const b of free) expect(found.get(a.article) === found.get(b.article)).toBe(a.after === b.after)
        }
        for (const { article, before } of placed.filter((one) => !free.includes(one))) {
          expect(found.get(article)).toBe(before)
        }
      }),
    )
  })

  it('which ids are kept by whom does not rest on how articles are listed, or what the new version calls its stories', () => {
    fc.assert(
      fc.property(some, (placed) => {
        const names = [...new Set(placed.flatMap(({ after }) => (after === null ? [] : [after])))]
        const renamed = placed.map((one) => ({
          ...one,
          after: one.after === null ? null : `other ${names.indexOf(one.after)}`,
        }))
        const kept = (of: readonly ReplacedArticle[]) =>
          [...keptIds(of, naming(placed))].filter(([, id]) => naming(placed).given.has(id))

        expect(new Map(kept([...placed].reverse()))).toEqual(new Map(kept(placed)))
        expect(kept(renamed)).toEqual(kept(placed))
      }),
    )
  })

  it('the lines told, folded in their order, put every article where it is to be', () => {
    fc.assert(
      fc.property(some, (placed) => {
        const moves = movesOf(placed)
        const story = new Map(moves.map(({ article, from }) => [article, from]))
        for (const { articles, from, to } of blocksOf(moves)) {
          for (const article of articles) {
            expect(story.get(article)).toBe(from)
            story.set(article, to)
          }
        }
        expect([...story]).toEqual(moves.map(({ article, to }) => [article, to]))
      }),
    )
  })

  it('a story opens once by a split, ends once by a merge, and whoever is told of it could have known it', () => {
    fc.assert(
      fc.property(some, (placed) => {
        const moves = movesOf(placed)
        const blocks = blocksOf(moves)
        const [before, after] = [new Set(moves.map(({ from }) => from)), new Set(moves.map(({ to }) => to))]
        const of = (action: string, end: 'from' | 'to') =>
          blocks.filter((one) => one.action === action).map((one) => one[end])

        expect(of('split', 'to').sort()).toEqual([...after].filter((id) => !before.has(id)).sort())
        const ended = [...before].filter((id) => !after.has(id))
        expect(of('merged', 'from').every((id) => ended.includes(id))).toBe(true)
        expect(new Set(of('merged', 'from')).size).toBe(of('merged', 'from').length)
      }),
    )
  })
})
