import { expect, it } from 'vitest'
import { ChaosRandom } from '../chaos/random.ts'
import { faultPlan, rollingUpgrade } from './faults.ts'

const processes = [
  'kafka-1',
  'kafka-2',
  'kafka-3',
  'clickhouse-a',
  'clickhouse-b',
  'registry',
  'deciding-1',
  'deciding-2',
]
const listeners = ['replication-1', 'replication-2', 'controller-1', 'controller-2']
const PARTS = { processes, proxied: ['kafka-1', 'kafka-2', 'kafka-3', 'clickhouse-a', 'clickhouse-b', ...listeners] }

it('plans the same faults for the same seed, on every kind of process and never on the registry', () => {
  const plan = faultPlan(PARTS, 60, new ChaosRandom(7))

  expect(plan).toEqual(faultPlan(PARTS, 60, new ChaosRandom(7)))
  expect(plan).not.toEqual(faultPlan(PARTS, 60, new ChaosRandom(8)))
  expect(plan).toHaveLength(60)
  expect(new Set(plan.map(({ name }) => name))).toEqual(
    new Set([...processes.filter((name) => name !== 'registry'), ...listeners]),
  )
  const kindsOf = (of: RegExp) => new Set(plan.filter(({ name }) => of.test(name)).map(({ kind }) => kind))
  expect(kindsOf(/deciding/)).toEqual(new Set(['kill', 'pause']))
  expect(kindsOf(/replication|controller/)).toEqual(new Set(['away', 'silent', 'silent to', 'silent from']))
  expect(kindsOf(/kafka|clickhouse/)).toEqual(new Set(['kill', 'pause', 'away', 'silent', 'silent to', 'silent from']))
})

it('plans a fault for each of a kind in turn', () => {
  const brokers = faultPlan(PARTS, 60, new ChaosRandom(1)).flatMap(({ name }) => (name.startsWith('kafka') ? name : []))

  expect(brokers.length).toBeGreaterThan(6)
  for (let at = 0; at + 3 <= brokers.length; at += 3) expect(new Set(brokers.slice(at, at + 3)).size).toBe(3)
})

it('plans a fault for every kind of process before a second one', () => {
  const first = faultPlan(PARTS, 6, new ChaosRandom(1)).map(({ name }) => name.replace(/-\d$/, ''))

  expect(new Set(first)).toEqual(
    new Set(['kafka', 'clickhouse-a', 'clickhouse-b', 'deciding', 'replication', 'controller']),
  )
})

it('upgrades what reads before what writes, and no server', () => {
  const planned = rollingUpgrade(['registry', 'kafka-1', 'reading-1', 'deciding-1', 'deciding-2', 'api-1', 'views-a-1'])

  expect(planned.map(({ name }) => name)).toEqual(['views-a-1', 'api-1', 'deciding-1', 'deciding-2', 'reading-1'])
})
