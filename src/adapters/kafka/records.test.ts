import { expect, it } from 'vitest'
import { requestsOf } from './records.ts'

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
