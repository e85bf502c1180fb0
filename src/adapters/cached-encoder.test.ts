import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { axisVector } from '../../test/builders/articles.ts'
import { asEncoder } from '../../test/builders/encoder.ts'
import type { Encoder } from '../ports/encoder.ts'
import { cachedEncoder } from './cached-encoder.ts'

let directory = ''
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'vectors-'))))
afterEach(() => {
  rmSync(directory, { recursive: true })
})

/** Test double: a text's axis is its length; it counts what it is asked. */
function aCountingEncoder(model = 'abc') {
  const asked: string[] = []
  const encoder: Encoder = asEncoder({
    model,
    dim: 384,
    sentences: async (texts) => {
      asked.push(...texts)
      return texts.map((text) => axisVector(text.length))
    },
    leads: async (articles) => {
      asked.push(...articles.map(({ title, body }) => `${title}|${body}`))
      return articles.map(({ title, body }) => axisVector(100 + title.length + body.length))
    },
    close: () => Promise.resolve(),
  })
  return { encoder, asked }
}

it('asks for each text once, and answers in the order of the question', async () => {
  const { encoder, asked } = aCountingEncoder()
  const cached = cachedEncoder(encoder, directory)

  await cached.sentences(['a', 'bb'])
  const vectors = await cached.sentences(['ccc', 'bb', 'ccc', 'a'])

  expect(asked).toEqual(['a', 'bb', 'ccc'])
  expect(vectors).toEqual([3, 2, 3, 1].map(axisVector))
})

it('remembers over a restart, bit for bit', async () => {
  const first = cachedEncoder(aCountingEncoder().encoder, directory)
  const before = await first.leads([{ title: 't', body: 'body' }])
  await first.close()

  const { encoder, asked } = aCountingEncoder()
  const after = await cachedEncoder(encoder, directory).leads([{ title: 't', body: 'body' }])

  expect(after).toEqual(before)
  expect(asked).toEqual([])
})

it('does not mix sentences with leads, titles with bodies, or one model with another', async () => {
  const one = aCountingEncoder()
  const cached = cachedEncoder(one.encoder, directory)
  await cached.sentences(['ab'])
  await cached.leads([
    { title: '', body: 'ab' },
    { title: 'a', body: 'b' },
  ])
  const other = aCountingEncoder('org/other')
  await cachedEncoder(other.encoder, directory).sentences(['ab'])

  expect(one.asked).toEqual(['ab', '|ab', 'a|b'])
  expect(other.asked).toEqual(['ab'])
  expect(readdirSync(directory).sort()).toEqual(['abc.vectors', 'org_other.vectors'])
})

it('forgets a record that a crash has cut in half, and nothing else', async () => {
  const first = cachedEncoder(aCountingEncoder().encoder, directory)
  await first.sentences(['a', 'bb'])
  await first.close()
  const file = join(directory, 'abc.vectors')
  const whole = statSync(file).size
  appendFileSync(file, Buffer.alloc(700))

  const { encoder, asked } = aCountingEncoder()
  const cached = cachedEncoder(encoder, directory)

  expect(await cached.sentences(['a', 'bb', 'ccc'])).toEqual([1, 2, 3].map(axisVector))
  expect(asked).toEqual(['ccc'])
  expect(statSync(file).size).toBe(1.5 * whole)
})

it('asks nothing for nothing', async () => {
  const { encoder, asked } = aCountingEncoder()

  expect(await cachedEncoder(encoder, directory).sentences([])).toEqual([])
  expect(asked).toEqual([])
})
