import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { axisVector } from '../../test/builders/articles.ts'
import { asEncoder } from '../../test/builders/encoder.ts'
import type { Encoder, Passage } from '../ports/encoder.ts'
import { cachedEncoder } from './cached-encoder.ts'

let directory = ''
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'vectors-'))))
afterEach(() => {
  rmSync(directory, { recursive: true })
})

/** Test double: a text's axis is its length; it counts what it is asked. */
function aCountingEncoder(model = 'abc') {
  const calls: string[] = []
  const encoder: Encoder = asEncoder({
    model,
    dim: 384,
    sentences: async (texts) => {
      calls.push(...texts)
      return texts.map((text) => axisVector(text.length))
    },
    leads: async (articles) => {
      calls.push(...articles.map(({ title, body }) => `${title}|${body}`))
      return articles.map(({ title, body }) => axisVector(100 + title.length + body.length))
    },
    close: () => Promise.resolve(),
  })
  return { encoder, calls }
}

it('asks for each text once, and answers in the order of the question', async () => {
  const { encoder, calls } = aCountingEncoder()
  const cached = cachedEncoder(encoder, directory)

  await cached.sentences(['a', 'bb'])
  const vectors = await cached.sentences(['ccc', 'bb', 'ccc', 'a'])

  expect(calls).toEqual(['a', 'bb', 'ccc'])
  expect(vectors).toEqual([3, 2, 3, 1].map(axisVector))
})

it('remembers over a restart, bit for bit', async () => {
  const first = cachedEncoder(aCountingEncoder().encoder, directory)
  const before = await first.leads([{ title: 't', body: 'body' }])
  await first.close()

  const { encoder, calls } = aCountingEncoder()
  const after = await cachedEncoder(encoder, directory).leads([{ title: 't', body: 'body' }])

  expect(after).toEqual(before)
  expect(calls).toEqual([])
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

  expect(one.calls).toEqual(['ab', '|ab', 'a|b'])
  expect(other.calls).toEqual(['ab'])
  expect(readdirSync(directory).sort()).toEqual(['abc.vectors', 'org_other.vectors'])
})

it('forgets a record that a crash has cut in half, and nothing else', async () => {
  const first = cachedEncoder(aCountingEncoder().encoder, directory)
  await first.sentences(['a', 'bb'])
  await first.close()
  const file = join(directory, 'abc.vectors')
  const whole = statSync(file).size
  appendFileSync(file, Buffer.alloc(700))

  const { encoder, calls } = aCountingEncoder()
  const cached = cachedEncoder(encoder, directory)

  expect(await cached.sentences(['a', 'bb', 'ccc'])).toEqual([1, 2, 3].map(axisVector))
  expect(calls).toEqual(['ccc'])
  expect(statSync(file).size).toBe(1.5 * whole)
})

describe('passages', () => {
  const passage = {
    title: 'aa',
    sentences: ['bbb', 'cc dd'],
    terms: [
      { sentence: -1, start: 0, end: 2 },
      { sentence: 1, start: 3, end: 5 },
    ],
  }
  /** Test double: a term in a sentence stands outside the windows, one in the title inside. */
  const aPassageEncoder = (kinds = { article: 'whole', term: 'near' }) => {
    const calls: Passage[] = []
    const encoder: Encoder = {
      ...aCountingEncoder().encoder,
      kinds,
      passages: async (passages) => {
        calls.push(...passages)
        return passages.map(({ title, terms }) => ({
          title: axisVector(title.length),
          lead: axisVector(200),
          article: axisVector(kinds.article.length),
          terms: terms.map(({ sentence }, i) => (sentence < 0 ? axisVector(300 + i) : null)),
        }))
      },
    }
    return { encoder, calls }
  }

  it('are asked for once, over a restart, with the terms that have no vector', async () => {
    const { encoder, calls } = aPassageEncoder()
    const first = await cachedEncoder(encoder, directory).passages([passage, passage])

    const again = aPassageEncoder()
    const after = await cachedEncoder(again.encoder, directory).passages([passage])

    expect(calls).toEqual([passage])
    expect(again.calls).toEqual([])
    expect(first).toEqual([after[0], after[0]])
    expect(after).toEqual([
      { title: axisVector(2), lead: axisVector(200), article: axisVector(5), terms: [axisVector(300), null] },
    ])
  })

  it('are asked for again with other terms, other sentences, or when articles are made in another way', async () => {
    const { encoder, calls } = aPassageEncoder()
    const cached = cachedEncoder(encoder, directory)
    const others: Passage[] = [
      { ...passage, terms: [{ sentence: 0, start: 0, end: 3 }] },
      { ...passage, sentences: ['bbb cc dd'] },
    ]

    await cached.passages([passage])
    await cached.passages(others)
    const another = aPassageEncoder({ article: 'another', term: 'near' })
    const [made] = await cachedEncoder(another.encoder, directory).passages([passage])

    expect(calls).toEqual([passage, ...others])
    expect(another.calls).toEqual([passage])
    expect(made?.article).toEqual(axisVector(7))
  })
})

it('asks nothing for nothing', async () => {
  const { encoder, calls } = aCountingEncoder()

  expect(await cachedEncoder(encoder, directory).sentences([])).toEqual([])
  expect(calls).toEqual([])
})
