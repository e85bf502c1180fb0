import { ClickHouseError } from '@clickhouse/client'
import { expect, it } from 'vitest'
import { failureOf, throughRestart } from './failure.ts'

const error = (code: string, message: string): ClickHouseError => new ClickHouseError({ code, type: 'ANY', message })

it.each([
  [
    '241',
    'Query memory limit exceeded: would use 3.00 GiB (attempt to allocate chunk), maximum: 715.26 MiB.',
    'too_large',
  ],
  ['241', 'Memory limit (for query) exceeded: would use 3.00 GiB, maximum: 715.26 MiB.', 'too_large'],
  ['241', '(total) memory limit exceeded: would use 1.41 GiB, current RSS 1.40 GiB, maximum: 1.40 GiB.', 'later'],
  ['241', 'Memory limit (total) exceeded: would use 1.41 GiB, maximum: 1.40 GiB.', 'later'],
  ['241', 'User memory limit exceeded: would use 1.41 GiB, maximum: 1.40 GiB.', 'later'],
  ['396', 'Limit for result exceeded', 'too_large'],
  ['289', "Replica doesn't have part all_7_7_0 which was successfully written to quorum of other replicas", 'later'],
  ['60', 'Unknown table', 'defect'],
] as const)('code %s, "%s" is %s', (code, message, failure) => {
  expect(failureOf(error(code, message))).toBe(failure)
})

it('a connection that fails is later, a row that does not parse our defect', () => {
  expect(failureOf(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toBe('later')
  expect(failureOf(new TypeError('row'))).toBe('defect')
})

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Fails as often as there are codes, then answers. */
const failing = (...codes: string[]) => {
  let reads = 0
  return async () => {
    const code = codes[reads]
    reads += 1
    return code === undefined ? Promise.resolve(reads) : Promise.reject(failure(code))
  }
}

it('a read waits until the server is back', async () => {
  expect(await throughRestart()(failing('ECONNRESET', 'ECONNREFUSED'))).toBe(3)
})

it('what is no lost connection is not repeated', async () => {
  await expect(throughRestart()(failing('159'))).rejects.toThrow('159')
})

it('reads fail at once while the server stays away, and wait again after one has succeeded', async () => {
  const through = throughRestart(50)
  const away = () => Promise.reject(failure('ECONNREFUSED'))
  await expect(through(away)).rejects.toThrow('ECONNREFUSED')

  const again = failing('ECONNREFUSED')
  await expect(through(again)).rejects.toThrow('ECONNREFUSED')
  await through(failing())

  expect(await through(failing('ECONNREFUSED'))).toBe(2)
})
