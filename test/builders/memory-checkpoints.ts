import type { ChangelogCopy, CheckpointOrigin, Checkpoints, CopiedEntry } from '../../src/ports/checkpoints.ts'

interface Stored {
  entries: Map<string, CopiedEntry>
  header: (CheckpointOrigin & { readonly offset: number }) | null
}

/** A disk of checkpoints in memory. What was appended survives the processes that use it. */
export class MemoryCheckpoints implements Checkpoints {
  private readonly stored = new Map<string, Stored>()
  /** Called before each access, for tests and simulations that let it fail or wait. */
  private readonly access: (what: string) => Promise<void>

  constructor(access: (what: string) => Promise<void> = async () => undefined) {
    this.access = access
  }

  /** The same disk, seen by another process. */
  as(access: (what: string) => Promise<void>): MemoryCheckpoints {
    return Object.assign(Object.create(MemoryCheckpoints.prototype) as MemoryCheckpoints, {
      stored: this.stored,
      access,
    })
  }

  async names(): Promise<readonly string[]> {
    return [...this.stored.keys()]
  }

  async delete(name: string): Promise<void> {
    this.stored.delete(name)
  }

  async open(name: string): Promise<ChangelogCopy> {
    await this.access(`open the copy ${name}`)
    const { access, stored: all } = this
    const stored = all.get(name) ?? { entries: new Map<string, CopiedEntry>(), header: null }
    all.set(name, stored)
    return {
      get offset() {
        return stored.header?.offset ?? 0
      },
      get origin() {
        return stored.header
      },
      *entries() {
        const all = [...stored.entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
        for (let at = 0; at < all.length; at += 2) yield all.slice(at, at + 2)
      },
      append: async ({ from, to, records }, origin) => {
        await access(`extend the copy ${name}`)
        if ((stored.header?.offset ?? 0) !== from) return false
        for (const { key, value, loggedAt } of records) {
          if (key === null) continue
          if (value === null) stored.entries.delete(key)
          else stored.entries.set(key, { key, value, loggedAt })
        }
        stored.header = { ...origin, offset: to }
        return true
      },
      clear: async () => {
        stored.entries.clear()
        stored.header = null
      },
      close: async () => undefined,
    }
  }
}
