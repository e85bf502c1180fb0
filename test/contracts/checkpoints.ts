import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChangelogCopy, CheckpointOrigin, Checkpoints } from '../../src/ports/checkpoints.ts'
import type { LogRecord } from '../../src/ports/log.ts'

const ORIGIN: CheckpointOrigin = { topicId: 'a', epoch: 3, version: '1', at: 5_000 }

const record = (offset: number, key: string, text: string | null): LogRecord => ({
  topic: 'counted.memory',
  partition: 0,
  offset,
  key,
  value: text === null ? null : Buffer.from(text),
  headers: {},
  loggedAt: 1_000 + offset,
})

/** The contract of every disk of checkpoints. */
export function checkpointsContract(kind: string, openDisk: () => Promise<Checkpoints>): void {
  describe(`checkpoints in ${kind}`, () => {
    let disk: Checkpoints
    let copy: ChangelogCopy
    let turn = 0
    const opened: ChangelogCopy[] = []
    const open = async (name: string) => {
      const one = await disk.open(name)
      opened.push(one)
      return one
    }

    beforeEach(async () => {
      disk = await openDisk()
      copy = await open(`counted-${++turn}`)
    })
    afterAll(async () => {
      await Promise.all(opened.map((one) => one.close()))
    })

    const entriesOf = (one: ChangelogCopy) =>
      [...one.entries()].flat().map(({ key, value, loggedAt }) => `${key} ${value.toString()} ${loggedAt}`)

    it('starts empty', () => {
      expect([copy.offset, copy.origin, entriesOf(copy)]).toEqual([0, null, []])
    })

    it('keeps the newest record of each key, in the order of the keys, and what it was copied from', async () => {
      const records = [record(0, 'ü', 'one'), record(1, 'a', 'two'), record(2, 'a', 'three'), record(4, 'b', 'four')]

      expect(await copy.append({ from: 0, to: 5, records }, ORIGIN)).toBe(true)
      expect(await copy.append({ from: 5, to: 9, records: [record(7, 'b', null)] }, { ...ORIGIN, epoch: 4 })).toBe(true)

      expect(entriesOf(copy)).toEqual(['a three 1002', 'ü one 1000'])
      expect([copy.offset, copy.origin]).toEqual([9, expect.objectContaining({ ...ORIGIN, epoch: 4 })])
    })

    it('finds the newest record of a key', async () => {
      const long = 'k'.repeat(5_000)
      const records = [record(0, 'a', 'one'), record(1, 'a', 'two'), record(2, long, 'long'), record(3, 'b', null)]
      await copy.append({ from: 0, to: 4, records }, ORIGIN)

      const found = ['a', 'b', long, `${long}k`, 'c'].map((key) => copy.get(key)?.value.toString() ?? null)

      expect(found).toEqual(['two', null, 'long', null, null])
    })

    it('refuses a run that does not follow: another process has extended the copy', async () => {
      await copy.append({ from: 0, to: 5, records: [record(4, 'a', 'new')] }, ORIGIN)

      expect(await copy.append({ from: 3, to: 4, records: [record(3, 'a', 'old')] }, ORIGIN)).toBe(false)

      expect([copy.offset, entriesOf(copy)]).toEqual([5, ['a new 1004']])
    })

    it('can be opened while another part of the process extends it', async () => {
      const name = `counted-${++turn}`
      const first = await open(name)
      for (let round = 0; round < 50; round++) {
        const run = { from: round, to: round + 1, records: [record(round, 'a', `${round}`)] }
        const [appended, second] = await Promise.all([first.append(run, ORIGIN), disk.open(name)])
        expect([appended, second.offset]).toEqual([true, round + 1])
        await second.close()
      }
    })

    it('is there again after it was closed, and gone after it was deleted', async () => {
      const name = `counted-${++turn}`
      const first = await disk.open(name)
      await first.append({ from: 0, to: 1, records: [record(0, 'a', 'one')] }, ORIGIN)
      await first.close()

      const second = await disk.open(name)
      expect([second.offset, entriesOf(second)]).toEqual([1, ['a one 1000']])
      await second.close()
      expect(await disk.names()).toContain(name)
      await disk.delete(name)
      expect(await disk.names()).not.toContain(name)

      expect((await open(name)).offset).toBe(0)
    })

    it('is empty after it was cleared', async () => {
      await copy.append({ from: 0, to: 1, records: [record(0, 'a', 'one')] }, ORIGIN)

      await copy.clear()

      expect([copy.offset, copy.origin, entriesOf(copy)]).toEqual([0, null, []])
    })

    it('keeps thousands of entries, long keys and large values', async () => {
      const long = 'k'.repeat(5_000)
      const records = Array.from({ length: 2_500 }, (_, i) => record(i, `key ${i}`, String(i)))
      const large = Buffer.alloc(900_000, 5)
      await copy.append({ from: 0, to: 2_500, records }, ORIGIN)
      await copy.append({ from: 2_500, to: 2_502, records: [{ ...record(2_500, long, ''), value: large }] }, ORIGIN)

      const found = [...copy.entries()].flat()

      expect(new Set(found.map(({ key }) => key))).toEqual(new Set([...records.map(({ key }) => key), long]))
      expect(found.find(({ key }) => key === long)?.value.equals(large)).toBe(true)
    })
  })
}
