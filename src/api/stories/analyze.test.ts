import { expect, it } from 'vitest'
import { A_NOON, aCodec, aHandMovedClock, aLog, FakeStore } from '../../../test/builders/api.ts'
import { LIFECYCLE } from '../../domain/lifecycle/lifecycle.ts'
import { storiesTransitioned } from '../../events/lifecycle.ts'
import { BrokerClock, ClockApart } from '../../state/settings/broker-clock.ts'
import { problemOf } from '../http/app.ts'
import { analysed } from './analyze.ts'

const YEAR_MS = 365 * 86_400_000
const CLUSTER = 'sto_a'

/** Analyzes a story with one new article, with a clock that is `aheadMs` ahead of the broker's. */
async function analysisWith(aheadMs: number) {
  const store = new FakeStore()
  store.rows.set('stories.members', [{ cluster_id: CLUSTER, members: [[A_NOON - 1000, 'syn_1', '']] }])
  store.rows.set('stories.persisted', [])
  store.rows.set('stories.receptions', [])
  store.rows.set('stories.transition_read', [{ event_id: 'evt' }])
  const at = A_NOON + aheadMs
  const log = aLog({ now: () => A_NOON })
  const clock = aHandMovedClock(at)
  const brokerClock = new BrokerClock({ log, clock })
  const ports = { store, log, codec: aCodec(), clock, lifecycle: LIFECYCLE, brokerClock }
  const answer = await analysed({ namespace: 'shared', cluster_id: CLUSTER, at }, ports).catch(
    (cause: unknown) => cause,
  )
  return { answer, persisted: log.records(storiesTransitioned.name).filter(({ value }) => value !== null) }
}

it('persists nothing with a clock that is a year ahead of the log, and says so', async () => {
  const { answer, persisted } = await analysisWith(YEAR_MS)

  expect(answer).toBeInstanceOf(ClockApart)
  expect(persisted).toEqual([])
  expect(problemOf(answer)).toMatchObject({ code: 'unavailable' })
})

it('persists a new state with a right clock', async () => {
  const { answer, persisted } = await analysisWith(0)

  expect(answer).toMatchObject({ state: 'developing', previous: null })
  expect(persisted).toHaveLength(1)
})
