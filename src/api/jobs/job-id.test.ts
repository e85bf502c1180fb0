import { expect, it } from 'vitest'
import { keyedJobId, newJobId, readJobId } from './job-id.ts'

const signed = { namespace: 'shared', secret: 'a secret that every instance shares' }
const A_MOMENT = Date.UTC(2016, 4, 3, 12)

it('a job id tells any instance when it was made and that it went to the log', () => {
  const id = newJobId(A_MOMENT, null, signed)

  expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{42}$/)
  expect(readJobId(id, signed)).toEqual({ submitted_at: A_MOMENT, refusal: null })
})

it('or why it was refused', () => {
  expect(readJobId(newJobId(A_MOMENT, 'url_invalid', signed), signed)).toMatchObject({ refusal: 'url_invalid' })
})

it('under an Idempotency-Key an id follows from the key, the moment and the place in the batch', () => {
  const item = { key_hash: 'a'.repeat(32), at: A_MOMENT, index: 0 }
  const id = keyedJobId(item, null, signed)
  const others = [
    keyedJobId({ ...item, index: 1 }, null, signed),
    keyedJobId({ ...item, at: A_MOMENT + 1 }, null, signed),
    keyedJobId({ ...item, key_hash: 'b'.repeat(32) }, null, signed),
    keyedJobId(item, null, { ...signed, namespace: 'acme' }),
    keyedJobId(item, null, { ...signed, secret: 'another' }),
  ]

  expect(keyedJobId(item, null, signed)).toBe(id)
  expect(new Set([id, ...others]).size).toBe(6)
  expect(readJobId(id, signed)).toEqual({ submitted_at: A_MOMENT, refusal: null })
  expect(readJobId(keyedJobId(item, 'url_invalid', signed), signed)).toMatchObject({ refusal: 'url_invalid' })
})

it('is nothing in another namespace, under another secret, or changed', () => {
  const id = newJobId(A_MOMENT, null, signed)
  const changed = (id.startsWith('0') ? '1' : '0') + id.slice(1)

  expect(readJobId(id, { ...signed, namespace: 'acme' })).toBeNull()
  expect(readJobId(id, { ...signed, secret: 'another' })).toBeNull()
  expect(readJobId(changed, signed)).toBeNull()
  expect(readJobId('', signed)).toBeNull()
})

it('ids of one moment differ, and sort by time', () => {
  const ids = [1, 2, 2, 3].map((ms) => newJobId(A_MOMENT + ms, null, signed))

  expect(new Set(ids).size).toBe(4)
  expect(ids.map((id) => id.slice(0, 10)).toSorted()).toEqual(ids.map((id) => id.slice(0, 10)))
})
