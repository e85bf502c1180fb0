import { describe, expect, it, vi } from 'vitest'
import { aRunning, counted, say, wordsSaid } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { timedParts } from './consume-parts.ts'
import { runMemoryStage } from './run-memory-stage.ts'

it('finds the size that takes the wanted time, growing at most fourfold a step', () => {
  const size = timedParts({ partMs: 1000, partRecords: 500 })
  const sizes = [16, 64, 256].map((records) => {
    const now = size.next()
    size.took(records, records) // one millisecond per record
    return now
  })

  expect([...sizes, size.next()]).toEqual([16, 64, 256, 500])
})

it('goes down to one record at a time when records are slow', () => {
  const size = timedParts({ partMs: 1000, partRecords: 500 })

  size.took(16, 160_000)

  expect(size.next()).toBe(1)
})

describe('the parts of a stage with memory', () => {
  /** Decides 100 inputs with a log whose writes take a minute each. Returns how many inputs each transaction had. */
  async function partsOf(failures: number): Promise<readonly number[]> {
    const memoryLog = new MemoryLog()
    const running = aRunning({ memoryLog })
    const written: number[] = []
    let left = failures
    const log = Object.assign(Object.create(memoryLog) as MemoryLog, {
      writer: async (id: string) => {
        const writer = await memoryLog.writer(id)
        const write: typeof writer.write = async (records, read) => {
          await running.clock.sleep(60_000)
          written.push(records.length / 2) // an event and a state update each
          if (left-- > 0) throw new Error('the log is away')
          await writer.write(records, read)
        }
        return { ...writer, write }
      },
    })
    await say(
      log,
      Array.from({ length: 100 }, (_, i) => `word ${i}`),
    )

    const consumer = await runMemoryStage(counted, { ...running, log })

    await vi.waitFor(async () => {
      expect(await log.committed('counted', wordsSaid.name)).toEqual([100])
    }, soon)
    await consumer.stop()
    return written
  }

  it('do not shrink when the log is slow', async () => {
    expect(await partsOf(0)).toEqual([16, 64, 20])
  })

  it('do not grow when a write fails', async () => {
    expect(await partsOf(3)).toEqual([16, 16, 16, 16, 64, 20])
  })
})
