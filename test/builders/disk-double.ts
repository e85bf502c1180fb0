import type { ChangelogCopies, ChangelogCopy, Checkpoints, SavedUpTo, Snapshots } from '../../src/ports/checkpoints.ts'
import { CheckpointFailed } from '../../src/ports/checkpoints.ts'
import { MemoryCheckpoints } from '../../src/state/memory-checkpoints.ts'

/**
 * A test double of a local disk. What was appended survives the processes that use it. `access` is called before each
 * access, so that it may fail or wait.
 */
export class DiskDouble implements Checkpoints {
  readonly snapshots: Snapshots
  private readonly disk: ChangelogCopies
  private readonly states: StatesInMemory
  private readonly access: (what: string) => Promise<void>

  constructor(
    access: (what: string) => Promise<void> = async () => undefined,
    disk: ChangelogCopies = new MemoryCheckpoints(),
    states: StatesInMemory = new Map(),
  ) {
    this.access = access
    this.disk = disk
    this.states = states
    this.snapshots = snapshotsIn(states, access)
  }

  /** The same disk, seen by another process. */
  as(access: (what: string) => Promise<void>): DiskDouble {
    return new DiskDouble(access, this.disk, this.states)
  }

  async names(): Promise<readonly string[]> {
    return this.disk.names()
  }

  async delete(name: string): Promise<void> {
    await this.disk.delete(name)
  }

  async open(name: string): Promise<ChangelogCopy> {
    await this.access(`open the copy ${name}`)
    const copy = await this.disk.open(name)
    return {
      get offset() {
        return copy.offset
      },
      get origin() {
        return copy.origin
      },
      get: (key) => copy.get(key),
      *entries() {
        for (const page of copy.entries()) for (let at = 0; at < page.length; at += 2) yield page.slice(at, at + 2)
      },
      append: async (run, origin) => {
        await this.access(`extend the copy ${name}`)
        return copy.append(run, origin)
      },
      clear: () => copy.clear(),
      close: async () => undefined,
    }
  }
}

type StatesInMemory = Map<string, { readonly savedUpTo: SavedUpTo; readonly sections: readonly Uint8Array[] }>

/** A state is complete at once, after an access for each section. */
const snapshotsIn = (states: StatesInMemory, access: (what: string) => Promise<void>): Snapshots => ({
  names: async () => [...states.keys()],
  delete: async (name) => void states.delete(name),
  save: async (name, savedUpTo, sections) => {
    const written: Uint8Array[] = []
    for (const section of sections) {
      written.push(Uint8Array.from(section))
      await access(`save a part of the state ${name}`)
    }
    states.set(name, { savedUpTo, sections: written })
    return written.reduce((sum, { length }) => sum + length, 0)
  },
  open: async (name) => {
    await access(`open the state ${name}`)
    const found = states.get(name)
    if (found === undefined) return null
    const { savedUpTo, sections } = found
    const left = [...sections]
    return {
      savedUpTo,
      bytes: sections.reduce((sum, { length }) => sum + length, 0),
      next: async () => {
        await access(`read a part of the state ${name}`)
        const section = left.shift()
        if (section === undefined) throw new CheckpointFailed('there are no more sections')
        return Uint8Array.from(section).buffer
      },
      close: async () => undefined,
    }
  },
})
