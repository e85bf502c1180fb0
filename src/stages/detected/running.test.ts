import { expect, it, vi } from 'vitest'
import { evenly } from '../../../test/builders/detected.ts'
import { aRunning, type TestRunning } from '../../../test/builders/running.ts'
import { soon } from '../../../test/builders/soon.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import { trendsDetected, type TrendDetected } from '../../events/trends.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { detected } from './stage.ts'

const codec = new PlainCodec()
const stage = detected({ budget: 1_000 })
const WEEK = 168

async function append({ log }: TestRunning, events: readonly ArticleClustered[]): Promise<void> {
  const records = events.map(async (event) => ({
    topic: articlesClustered.name,
    key: articlesClustered.key(event),
    value: await codec.encode(articlesClustered, event),
  }))
  await log.produce(await Promise.all(records))
}

async function told({ memoryLog }: TestRunning): Promise<readonly TrendDetected[]> {
  const decoded = await Promise.all(
    memoryLog
      .records(trendsDetected.name)
      .map(async ({ value }) => await codec.decode(trendsDetected, value ?? Buffer.alloc(0))),
  )
  return decoded.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
}

const allRead = async ({ log }: TestRunning) => {
  await vi.waitFor(async () => {
    expect(await log.committed('detected', articlesClustered.name)).toEqual(await log.ends(articlesClustered.name))
  }, soon)
}

it('knows after a restart what is usual, and what it has told', async () => {
  const given = { ...aRunning(), codec }
  const step = evenly('step', { from: WEEK, until: WEEK + 24, count: 100 })
  await append(given, evenly('steady', { from: 0, until: WEEK, count: 140 }))
  const first = await runMemoryStage(stage, given)
  await allRead(given)
  await first.stop()

  const second = await runMemoryStage(stage, given)
  await append(given, step.slice(0, 50))
  await allRead(given)
  expect(await told(given)).toMatchObject([{ type: 'entity.spike', subject_id: 'ent_ada', low_support: false }])
  await second.stop()

  const third = await runMemoryStage(stage, given)
  await append(given, step.slice(50))
  await allRead(given)
  await third.stop()

  expect(await told(given)).toHaveLength(1)
})
