import { z } from '@hono/zod-openapi'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvListOf, csvOf } from './csv.ts'

const Item = z.object({
  id: z.string(),
  title: z.string().nullable(),
  score: z.number().optional(),
  quality: z.object({ rating: z.string(), depth: z.number() }).nullable(),
  languages: z.array(z.string()),
  parts: z.array(z.object({ name: z.string() })),
})
const List = z.object({ items: z.array(Item), total: z.int(), next_cursor: z.string().nullable() })
const csv = csvListOf(List) ?? { list: '', columns: [] }

const anItem = { id: 'a', title: 'T', score: -0.5, quality: { rating: 'Good', depth: 1 }, languages: ['de', 'en'] }
const linesOf = (items: readonly object[]): string[] => csvOf({ items }, csv).split('\r\n')

it('has a column for each field of an item, and for each field of a nested object', () => {
  expect(linesOf([{ ...anItem, parts: [{ name: 'x' }] }])).toEqual([
    'id,title,score,quality.rating,quality.depth,languages,parts',
    'a,T,-0.5,Good,1,de; en,"[{""name"":""x""}]"',
    '',
  ])
})

it('has a header also without items, and empty cells for what is null or absent', () => {
  expect(linesOf([])).toEqual(['id,title,score,quality.rating,quality.depth,languages,parts', ''])
  expect(linesOf([{ id: 'a', title: null, quality: null, languages: [], parts: [] }])[1]).toBe('a,,,,,,')
})

it.each(['=1+1', '+1', '-1', '@x', '\tx'])('keeps a spreadsheet from running %j as a formula', (title) => {
  const [, row] = parse(csvOf({ items: [{ ...anItem, title, parts: [] }] }, csv))

  expect(row?.[1]).toBe(`'${title}`)
})

it('is read by a parser as it was written', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((one) => !/^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(one))
  fc.assert(
    fc.property(fc.array(fc.record({ id: text, title: text }), { minLength: 1 }), (items) => {
      const rows = parse(csvOf({ items }, { list: 'items', columns: [['id'], ['title']] }), { columns: true })
      expect(rows).toEqual(items)
    }),
  )
})

it('exists for a response with exactly one list of objects', () => {
  expect(csvListOf(List)?.list).toBe('items')
  expect(csvListOf(z.object({ nodes: z.array(Item), edges: z.array(Item) }))).toBeNull()
  expect(csvListOf(z.object({ names: z.array(z.string()) }))).toBeNull()
  expect(csvListOf(Item.pick({ id: true }))).toBeNull()
})

it('has the columns of all shapes that a response may have', () => {
  const Other = z.object({ items: z.array(z.object({ id: z.string(), text: z.string() })) })

  expect(csvListOf(z.union([List.pick({ items: true }), Other]))?.columns.map((path) => path.join('.'))).toEqual([
    ...['id', 'title', 'score', 'quality.rating', 'quality.depth', 'languages', 'parts', 'text'],
  ])
})
