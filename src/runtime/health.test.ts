import { expect, it } from 'vitest'
import { aHandClock } from '../../test/builders/hand-clock.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { health, SILENT_MS, type Examined, Pulse } from './health.ts'

const START = 1_700_000_000_000
const LATER = START + SILENT_MS + 1
const TOPIC = 'articles.ingested'
const PLACE = { topic: TOPIC, partition: 0 }

const aPulse = (reads = [{ topic: TOPIC, partition: 0 }]) => {
  const pulse = new Pulse('scored', START)
  pulse.reads = reads
  return pulse
}
const aLog = async (records: number, loggedAt = START) => {
  const log = new MemoryLog({ now: () => loggedAt })
  await log.produce(Array.from({ length: records }, () => ({ topic: TOPIC, key: null, value: null })))
  return log
}
const healthOf = (pulse: Pulse, log: Examined['log'], now = LATER) =>
  health({ pulses: [pulse], log, clock: aHandClock(now) })
const stateOf = async (pulse: Pulse, log: MemoryLog, now = LATER) => (await healthOf(pulse, log, now)).consumers[0]

it('a consumer that has nothing to read is idle, for however long', async () => {
  expect(await stateOf(aPulse(), await aLog(0))).toMatchObject({ state: 'idle', since: START })
})

it('one that takes nothing though there is something is stuck; a short while says nothing', async () => {
  const log = await aLog(3)

  expect(await stateOf(aPulse(), log, START + 1000)).toMatchObject({ state: 'idle' })
  expect(await stateOf(aPulse(), log)).toMatchObject({ state: 'stuck' })
})

it('one that stands by for another process is not stuck because of what that one has to read', async () => {
  expect(await stateOf(aPulse([]), await aLog(3))).toMatchObject({ state: 'idle' })
})

it('one that tries a step again is not stuck: what it waits for is away', async () => {
  const pulse = aPulse()
  pulse.batchStarted(PLACE, START)
  pulse.failed(PLACE, 'insert', START + 1000)
  pulse.failed(PLACE, 'insert', LATER)

  expect(await stateOf(pulse, await aLog(3))).toMatchObject({ state: 'retrying', step: 'insert', since: START + 1000 })
})

it('names the partition that is being retried while the others get on', async () => {
  const pulse = aPulse()
  const other = { topic: TOPIC, partition: 1 }
  pulse.batchStarted(PLACE, START)
  pulse.failed(PLACE, 'produce', LATER - 10)
  pulse.batchStarted(other, LATER - 5)
  pulse.progressed(other, LATER)

  expect(await stateOf(pulse, await aLog(3))).toMatchObject({
    state: 'retrying',
    retrying: [{ ...PLACE, step: 'produce', since: LATER - 10 }],
  })
})

it('a partition that gives no sign is stuck, however much the others get on', async () => {
  const pulse = aPulse()
  const other = { topic: TOPIC, partition: 1 }
  pulse.batchStarted(PLACE, START)
  pulse.batchStarted(other, LATER)
  pulse.progressed(other, LATER)

  expect(await stateOf(pulse, await aLog(3))).toMatchObject({ state: 'stuck', since: START })
})

it('one that has something in hand and gives no sign is stuck, and the process says so', async () => {
  const pulse = aPulse()
  pulse.batchStarted(PLACE, START)

  const found = await healthOf(pulse, await aLog(3))

  expect(found).toMatchObject({ status: 'stuck', consumers: [{ group: 'scored', state: 'stuck', since: START }] })
})

it('one that gets on is working, and idle again once it is through', async () => {
  const pulse = aPulse()
  pulse.batchStarted(PLACE, START)
  pulse.progressed(PLACE, LATER)
  expect(await stateOf(pulse, await aLog(3))).toMatchObject({ state: 'working' })

  pulse.batchEnded(PLACE, LATER)
  expect(await stateOf(pulse, await aLog(3))).toMatchObject({ state: 'idle', since: LATER })
})

it('what has only just come, what nobody sees, and what the log has let go make nobody stuck', async () => {
  const marks = await aLog(1)
  const writer = await marks.writer('w')
  await writer.write([{ topic: TOPIC, key: null, value: null }], {
    group: 'scored',
    next: [{ topic: TOPIC, partition: 0, offset: 2 }],
  })
  const gone = Object.assign(await aLog(3), { starts: () => Promise.resolve([3]) })

  expect(await stateOf(aPulse(), await aLog(3, LATER - 10))).toMatchObject({ state: 'idle' })
  expect(await marks.ends(TOPIC)).toEqual([3])
  expect(await stateOf(aPulse(), marks)).toMatchObject({ state: 'idle' })
  expect(await stateOf(aPulse(), gone)).toMatchObject({ state: 'idle' })
})

it.each([
  ['says so', (): Promise<never> => Promise.reject(new Error('away'))],
  ['does not answer', (): Promise<never> => new Promise(() => undefined)],
])('a log that is away and %s makes nobody stuck, and no probe hangs', async (_, away) => {
  const clock = aHandClock(LATER)
  const log = { committed: away, starts: away, ends: away, read: new MemoryLog().read.bind(new MemoryLog()) }

  const pending = health({ pulses: [aPulse()], log, clock })
  clock.pass(1_000)

  expect(await pending).toMatchObject({ status: 'ok', consumers: [{ state: 'idle' }] })
})
