import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { checkUnknown, fieldPaths } from './unknown-fields.ts'
import { SubmittedArticle } from '../jobs/intake.ts'

const taken = {
  query: ['time_range', 'limit', 'sort'],
  body: new Set(fieldPaths(z.object({ articles: z.array(SubmittedArticle) }))),
}
const header = (query: Record<string, string>, body?: unknown): string | null => {
  const checked = checkUnknown(taken, { query, body })
  return checked.kind === 'ignored' ? checked.header : 'refused'
}

it('names nothing where everything is known', () => {
  expect(header({ limit: '1', strict: '1' }, { articles: [{ text: 'a', metadata: { title: 'b' } }] })).toBeNull()
})

it('names what it ignores, with the nearest known name', () => {
  expect(header({ time_rang: '1h', limt: '1', colour: 'red' })).toBe(
    'time_rang (did you mean time_range?), limt (did you mean limit?), colour',
  )
})

it('names a field of the body once, and where it belongs', () => {
  const articles = [
    { text: 'a', title: 'b' },
    { text: 'c', title: 'd' },
    { text: 'e', metadata: { titel: 'f' } },
  ]

  expect(header({}, { articles })).toBe(
    'body.articles[].title (did you mean body.articles[].metadata.title?), body.articles[].metadata.titel (did you mean body.articles[].metadata.title?)',
  )
})

it('is safe and short in a header whatever the names are', () => {
  const long = header({ ['x'.repeat(5_000)]: '1', 'a\r\nset-cookie: b': '1', 'ü,é': '1' }) ?? ''
  const many = header(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`name${i}`, '1']))) ?? ''

  expect(long).toMatch(/^[\x20-\x7e]{1,200}$/)
  expect(long).toContain('a%0D%0Aset-cookie%3A%20b')
  expect(long).toContain('%C3%BC%2C%C3%A9')
  expect(many.split(', ')).toHaveLength(11)
  expect(many.endsWith(', ...')).toBe(true)
})

it('refuses with the fields what a strict request would have ignored', () => {
  const checked = checkUnknown(taken, { query: { strict: '1', limt: '3' }, body: { article: [] } })

  expect(checked).toMatchObject({
    kind: 'refused',
    problem: {
      code: 'validation_failed',
      errors: [
        { path: 'limt', message: 'unknown parameter; did you mean limit?' },
        { path: 'article', message: 'unknown field; did you mean articles?' },
      ],
    },
  })
})

it('refuses a strict that is neither yes nor no', () => {
  expect(checkUnknown(taken, { query: { strict: 'maybe' }, body: undefined })).toMatchObject({
    kind: 'refused',
    problem: { errors: [{ path: 'strict' }] },
  })
})
