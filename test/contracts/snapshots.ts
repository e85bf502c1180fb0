import { beforeEach, describe, expect, it } from 'vitest'
import type { OpenedSnapshot, SavedUpTo, Snapshots } from '../../src/ports/checkpoints.ts'
import type { StateSection } from '../../src/state/sections.ts'

export const SAVED_UP_TO: SavedUpTo = { topicId: 'a', epoch: 3, version: '1', at: 5_000, offset: 9, format: '1-b' }

const sectionsOf = (...texts: readonly string[]): StateSection[] => texts.map((text) => Buffer.from(text))

/** The contract of every disk of saved states. */
export function snapshotsContract(kind: string, openDisk: () => Promise<Snapshots>): void {
  describe(`saved states in ${kind}`, () => {
    let disk: Snapshots
    let name: string
    let turn = 0
    beforeEach(async () => {
      disk = await openDisk()
      name = `counted-${++turn}-v1`
    })

    const opened = async (): Promise<OpenedSnapshot> => {
      const found = await disk.open(name)
      if (found === null) throw new Error(`there is no ${name}`)
      return found
    }

    it('gives back every section, also an empty one, and what they include', async () => {
      const texts = ['one', '', 'x'.repeat(3_000_000), 'four']
      const bytes = await disk.save(name, SAVED_UP_TO, sectionsOf(...texts))

      const state = await opened()
      const read: string[] = []
      while (read.length < texts.length) read.push(Buffer.from(await state.next()).toString())

      expect(read).toEqual(texts)
      expect([state.savedUpTo, state.bytes]).toEqual([SAVED_UP_TO, bytes])
      expect(bytes).toBeGreaterThanOrEqual(3_000_007)
      await expect(state.next()).rejects.toThrow()
      await state.close()
    })

    it('keeps the newest state, also while the one before it is read', async () => {
      await disk.save(name, SAVED_UP_TO, sectionsOf('old', 'old too'))
      const before = await opened()
      await before.next()
      await disk.save(name, { ...SAVED_UP_TO, offset: 10 }, sectionsOf('new'))
      const after = await opened()

      expect(Buffer.from(await before.next()).toString()).toBe('old too')
      expect(after.savedUpTo.offset).toBe(10)
      await Promise.all([before.close(), after.close()])
    })

    it('keeps the state before if the next one is not completed', async () => {
      await disk.save(name, SAVED_UP_TO, sectionsOf('complete'))
      const interrupted = function* (): Generator<StateSection> {
        yield Buffer.from('half')
        throw new Error('revoked')
      }

      await expect(disk.save(name, { ...SAVED_UP_TO, offset: 10 }, interrupted())).rejects.toThrow()

      const state = await opened()
      expect(state.savedUpTo.offset).toBe(9)
      expect(Buffer.from(await state.next()).toString()).toBe('complete')
      await state.close()
    })

    it('knows its states by name, until they are deleted', async () => {
      expect(await disk.open(name)).toBeNull()
      await disk.save(name, SAVED_UP_TO, sectionsOf('one'))
      expect(await disk.names()).toContain(name)

      await disk.delete(name)
      await disk.delete(name)

      expect(await disk.names()).not.toContain(name)
      expect(await disk.open(name)).toBeNull()
    })
  })
}
