import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { originCount as count, origins, type OriginArticle } from './origins.ts'

const article = (id: string, over: Partial<OriginArticle> = {}): OriginArticle => ({
  article_id: id,
  log_order: Number(id),
  syndication_group: `syn_${id}`,
  publisher_family: null,
  derived_from: null,
  ...over,
})

describe('independent origins', () => {
  it('forty re-prints of one wire and two own reports are three', () => {
    const reprints = Array.from({ length: 40 }, (_, i) =>
      article(`${i}`, { syndication_group: 'syn_wire', publisher_family: `family ${i % 7}` }),
    )

    expect(count([...reprints, article('50'), article('51')])).toBe(3)
  })

  it('outlets of one family are one; a wire they print with others is its own', () => {
    const family = { publisher_family: 'gannett' }

    expect(count([article('1', family), article('2', family)])).toBe(1)
    expect(
      count([
        article('1', { ...family, syndication_group: 'w' }),
        article('2', { syndication_group: 'w' }),
        article('3', family),
      ]),
    ).toBe(2)
  })

  it('a text that quotes an earlier member is that one’s, however long the chain', () => {
    expect(count([article('1'), article('2', { derived_from: '1' }), article('3', { derived_from: '2' })])).toBe(1)
    expect(count([article('1', { derived_from: '2' }), article('2')])).toBe(2)
    expect(count([article('1'), article('2', { derived_from: 'elsewhere' })])).toBe(2)
  })

  it('every article has one, and their order does not matter', () => {
    const any = fc.uniqueArray(
      fc.record({
        id: fc.nat(12).map(String),
        syndication_group: fc.constantFrom('x', 'y', 'z'),
        publisher_family: fc.constantFrom(null, 'f', 'g'),
        derived_from: fc.option(fc.nat(12).map(String)),
      }),
      { selector: ({ id }) => id },
    )
    fc.assert(
      fc.property(any, (made) => {
        const articles = made.map(({ id, ...over }) => article(id, over))
        const found = origins(articles)
        expect([...found.keys()].sort()).toEqual(articles.map(({ article_id }) => article_id).sort())
        expect([...origins([...articles].reverse())].sort()).toEqual([...found].sort())
        expect(count(articles)).toBe(new Set(found.values()).size)
      }),
    )
  })
})
