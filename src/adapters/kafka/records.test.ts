import { expect, it } from 'vitest'
import { byLeader, requestsOf } from './records.ts'

it('cuts records into requests of about a megabyte, in order; a larger record goes alone', () => {
  const records = [400_000, 400_000, 400_000, 3_000_000, 10].map((bytes, i) => ({
    topic: 't',
    key: String(i),
    value: Buffer.alloc(bytes),
  }))

  const requests = requestsOf(records)

  expect(requests.map((topics) => topics.flatMap(({ messages }) => messages.map(({ key }) => key)))).toEqual([
    ['0', '1'],
    ['2'],
    ['3'],
    ['4'],
  ])
})

it('makes no request of nothing', () => {
  expect(requestsOf([])).toEqual([])
})

it('splits a request into one for each leader, each in its order', () => {
  const at = (partition: number, value: string) => ({ key: null, value, partition })
  const request = [
    { topic: 'said', messages: [at(0, 'a'), at(1, 'b'), at(0, 'c')] },
    { topic: 'memory', messages: [at(1, 'd'), at(2, 'e')] },
  ]
  const leaders = byLeader(request, (_, { partition }) => ['first', 'second', null][partition ?? 0] ?? null)

  expect(leaders).toEqual([
    [{ topic: 'said', messages: [at(0, 'a'), at(0, 'c')] }],
    [
      { topic: 'said', messages: [at(1, 'b')] },
      { topic: 'memory', messages: [at(1, 'd')] },
    ],
    [{ topic: 'memory', messages: [at(2, 'e')] }],
  ])
})
