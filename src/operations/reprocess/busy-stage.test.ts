import { describe, expect, it } from 'vitest'
import { systemClock } from '../../adapters/clock.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { articlesAnalyzed } from '../../events/articles.ts'
import { clockTicked } from '../../events/settings.ts'
import type { Consumer, Log, TransactionalWriter } from '../../ports/log.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { clustered } from '../../stages/clustered/stage.ts'
import { A_DAY } from '../../../test/builders/articles.ts'
import { madeUpReport, storiesOf } from '../../../test/builders/clustered.ts'
import {
  aFlushTick,
  aNewsroom,
  liveOn,
  MUCH_STRICTER,
  portsOf,
  remembered,
  someNews,
  strictBy,
  type Newsroom,
} from '../../../test/builders/reprocess.ts'
import { reprocessStage } from './reprocess-stage.ts'
import type { RunBesidePorts } from './run-beside.ts'
import { reprocessed } from './stages.ts'

const STAGE = 'clustered-0'
const request = { stage: reprocessed('clustered'), version: '5', from: null, mode: 'accept' } as const

/** A log with some calls replaced. */
const seenBy = (log: Log, over: Partial<Log>): Log => ({
  produce: (records) => log.produce(records),
  consume: (subscription, handle) => log.consume(subscription, handle),
  writer: (id) => log.writer(id),
  read: (topic, partition, from) => log.read(topic, partition, from),
  starts: (topic) => log.starts(topic),
  ends: (topic) => log.ends(topic),
  since: (topic, time) => log.since(topic, time),
  forget: (group) => log.forget(group),
  committed: (group, topic) => log.committed(group, topic),
  partitionOf: (key, partitions) => log.partitionOf(key, partitions),
  incarnation: (topic, partition) => log.incarnation(topic, partition),
  epochEnd: (topic, partition, epoch) => log.epochEnd(topic, partition, epoch),
  notes: (group, topic) => log.notes(group, topic),
  close: () => log.close(),
  ...over,
})

interface BusyStage {
  readonly room: Newsroom
  /** Gives the stage an article. Resolves when the stage, which is fenced, tries to take its place back. */
  readonly fenced: () => Promise<void>
  readonly stop: () => Promise<void>
}

async function aBusyStage(clock: 'real' | 'instant'): Promise<BusyStage> {
  const room = aNewsroom(new MemoryLog({ now: () => A_DAY + 30 * 86_400_000 }))
  await room.publish(articlesAnalyzed, someNews(8, 6))
  await room.publish(clockTicked, [aFlushTick(1)])
  await room.cluster()
  let onTry: () => void = () => undefined
  const log = seenBy(room.memoryLog, {
    notes: async (group, topic) => {
      if (group === 'clustered.switch') onTry()
      return room.memoryLog.notes(group, topic)
    },
    writer: async (id) => {
      const writer = await room.memoryLog.writer(id)
      onTry()
      return writer
    },
  })
  const live: Consumer = await runMemoryStage(clustered(strictBy(0)), {
    ...liveOn(room),
    log,
    ...(clock === 'real' ? { clock: systemClock } : {}),
  })
  let outlet = 20
  const next = () => room.publish(articlesAnalyzed, [madeUpReport({ event: 3, outlet: outlet++, day: 1 })])
  await next()
  await room.untilRead()
  return {
    room,
    fenced: async () => {
      const tried = new Promise<void>((resolve) => {
        onTry = resolve
      })
      await next()
      await tried
    },
    stop: () => live.stop(),
  }
}

const portsWithWriter = (
  room: Newsroom,
  opened: (writer: TransactionalWriter) => Promise<TransactionalWriter>,
): RunBesidePorts => ({
  ...portsOf(room, strictBy(MUCH_STRICTER)),
  clock: systemClock,
  log: seenBy(room.memoryLog, {
    writer: async (id) => {
      const writer = await room.memoryLog.writer(id)
      return id === STAGE ? opened(writer) : writer
    },
  }),
})

describe('a switch beside a busy stage', { timeout: 120_000 }, () => {
  it('ends at the first attempt, although the stage tries to take its place back at once', async () => {
    const { room, fenced, stop } = await aBusyStage('real')

    const report = await reprocessStage(
      request,
      portsWithWriter(room, async (writer) => {
        await fenced()
        return writer
      }),
    )

    expect(report.switched?.attempts).toBe(1)
    expect(report.switched?.events).toBeGreaterThan(0)
    await room.untilRead()
    await stop()
    const stories = storiesOf(await room.ledger())
    expect(stories.size).toBe(50)
    expect(await remembered(room)).toEqual(stories)
  })

  it('that is killed in the middle changes nothing, and the stage goes on once the lease has ended', async () => {
    const { room, fenced, stop } = await aBusyStage('instant')
    const before = storiesOf(await room.ledger())
    let killed: () => void = () => undefined
    const isKilled = new Promise<void>((resolve) => {
      killed = resolve
    })
    const never = async (): Promise<never> => {
      await fenced()
      killed()
      return new Promise<never>(() => undefined)
    }

    void reprocessStage(
      request,
      portsWithWriter(room, async (writer) => ({ ...writer, write: never })),
    )
    await isKilled
    await room.untilRead()

    await stop()
    const after = storiesOf(await room.ledger())
    expect(after.size).toBe(before.size + 1)
    expect([...before].every(([article, story]) => after.get(article) === story)).toBe(true)
    expect(await remembered(room)).toEqual(after)
  })
})
