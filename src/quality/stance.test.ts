import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { LearnedStance, Stance, StanceInput } from '../language/stance/stance.ts'
import { BadLine } from './labelled-file.ts'
import { scoreStanceFile } from './stance.ts'

const vectors = { means: (texts: readonly string[]) => Promise.resolve(texts.map(vectorOf)) }
const vectorOf = (text: string): Float32Array => Float32Array.of(text.length)

/** Test double: the first letter of a post determines its stance. Records its inputs. */
function aModel(learned: readonly string[] = []) {
  const calls: StanceInput[] = []
  const stances: Readonly<Record<string, Stance>> = { s: 'support', d: 'deny', q: 'query' }
  const model: LearnedStance = {
    name: 'first letter',
    learned: new Set(learned),
    stanceOf: (one) => {
      calls.push(one)
      const stance = stances[one.post.text.charAt(0)] ?? 'comment'
      return { stance, probabilities: { support: 0, deny: 0, query: 0, comment: 0, [stance]: 1 } }
    },
  }
  return { model, calls }
}

const post = (id: string, parent: string | null, text: string, stance?: string) => ({
  id,
  parent,
  text,
  stance,
  time: 5,
})
const lines = (...rows: readonly object[]): Buffer => Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'))

const THREAD = {
  thread: 'one',
  veracity: 'true',
  posts: [
    post('1', null, 'so &amp; so', 'support'),
    post('2', '1', 'don’t', 'deny'),
    post('3', '2', 'da', 'query'),
    post('4', 'gone', 'c'),
  ],
}
const headline = (id: string, title: string, stance?: string) => ({ id, title, story: 'one', claim: 'a claim', stance })

describe('RumourEval', () => {
  it('holds each post against what it answers and what began its thread, as a reader sees them', async () => {
    const { model, calls } = aModel()

    await scoreStanceFile({ model, vectors }, lines(THREAD))

    const root = { text: 'so & so', vector: vectorOf('so & so') }
    expect(calls.map(({ post, parent, claim }) => [post.text, parent?.text ?? null, claim])).toEqual([
      ['so & so', null, null],
      ['don’t', 'so & so', root],
      ['da', 'don’t', root],
      ['c', null, root],
    ])
  })

  it('tells figures of what people judged, and answers for everything in the order of the file', async () => {
    const { n, score, predictions, learned } = await scoreStanceFile(
      { ...aModel(['one']), vectors },
      gzipSync(lines(THREAD, { thread: 'two', posts: [post('5', null, 'ok', 'comment')] })),
    )

    expect({ n, accuracy: score.accuracy, learned }).toEqual({ n: 4, accuracy: 0.75, learned: 0.75 })
    expect(score.classes).toEqual({ comment: 1, deny: 2 / 3, query: 0, support: 1 })
    expect(predictions.trim().split('\n')).toEqual([
      '{"id":"1","label":"support"}',
      '{"id":"2","label":"deny"}',
      '{"id":"3","label":"deny"}',
      '{"id":"4","label":"comment"}',
      '{"id":"5","label":"comment"}',
    ])
  })
})

describe('Emergent', () => {
  it('tells stances in the words of the file: who asks leaves the claim open', async () => {
    const { n, score, predictions } = await scoreStanceFile(
      { ...aModel(), vectors },
      lines(headline('a', 'so it is', 'for'), headline('b', 'denied', 'against'), headline('c', 'questions'), {
        ...headline('d', 'reported'),
        stance: null,
      }),
    )

    expect({ n, f1: score.f1 }).toEqual({ n: 2, f1: 1 })
    expect(predictions).toBe(
      '{"id":"a","label":"for"}\n{"id":"b","label":"against"}\n{"id":"c","label":"observing"}\n{"id":"d","label":"observing"}\n',
    )
  })

  it('holds a headline against its claim and asks for nothing it answers', async () => {
    const { model, calls } = aModel()

    await scoreStanceFile({ model, vectors }, lines(headline('a', 'so it is')))

    expect(calls).toEqual([
      {
        post: { text: 'so it is', vector: vectorOf('so it is') },
        parent: null,
        claim: { text: 'a claim', vector: vectorOf('a claim') },
      },
    ])
  })
})

it('a file without labels has answers and no figures', async () => {
  const { n, predictions } = await scoreStanceFile({ ...aModel(), vectors }, lines(headline('a', 'denied')))

  expect({ n, predictions }).toEqual({ n: null, predictions: '{"id":"a","label":"against"}\n' })
})

it.each([
  ['not JSON', 'no', 'not JSON'],
  ['a stance that there is not', JSON.stringify(headline('b', 't', 'maybe')), 'stance'],
  ['neither format', '{"id":"b"}', 'neither RumourEval'],
  ['a thread without a beginning', JSON.stringify({ thread: 't', posts: [post('2', '1', 'x')] }), 'first post'],
  ['the other format', JSON.stringify(headline('b', 't')), 'another kind'],
])('names the line that holds %s', async (_, line, reason) => {
  const file = Buffer.concat([lines(THREAD), Buffer.from(`\n\n${line}\n`)])

  const error = await scoreStanceFile({ ...aModel(), vectors }, file).catch((cause: unknown) => cause)

  expect(error).toBeInstanceOf(BadLine)
  expect(error).toMatchObject({ line: 3, message: expect.stringContaining(reason) as string })
})
