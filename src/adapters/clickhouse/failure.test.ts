import { ClickHouseError } from '@clickhouse/client'
import { expect, it } from 'vitest'
import { failureOf } from './failure.ts'

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
