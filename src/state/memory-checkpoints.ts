import type { ChangelogCopies, ChangelogCopy, CheckpointOrigin, CopiedEntry, CopiedRun } from '../ports/checkpoints.ts'

/** Copies in the memory of one process, for tables of a process without a state folder. */
export class MemoryCheckpoints implements ChangelogCopies {
  private readonly copies = new Map<string, MemoryCopy>()

  async names(): Promise<readonly string[]> {
    return [...this.copies.keys()]
  }

  async delete(name: string): Promise<void> {
    this.copies.delete(name)
  }

  async open(name: string): Promise<ChangelogCopy> {
    const copy = this.copies.get(name) ?? new MemoryCopy()
    this.copies.set(name, copy)
    return copy
  }
}

class MemoryCopy implements ChangelogCopy {
  private readonly byKey = new Map<string, CopiedEntry>()
  origin: CheckpointOrigin | null = null
  offset = 0

  get(key: string): CopiedEntry | null {
    return this.byKey.get(key) ?? null
  }

  *entries(): Generator<readonly CopiedEntry[]> {
    yield [...this.byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  async append({ from, to, records }: CopiedRun, origin: CheckpointOrigin): Promise<boolean> {
    if (this.offset !== from) return false
    for (const { key, value, loggedAt } of records) {
      if (key === null) continue
      if (value === null) this.byKey.delete(key)
      else this.byKey.set(key, { key, value: Buffer.from(value), loggedAt }) // a part of a message keeps all of it
    }
    this.origin = origin
    this.offset = to
    return true
  }

  async clear(): Promise<void> {
    this.byKey.clear()
    this.origin = null
    this.offset = 0
  }

  async close(): Promise<void> {
    // stays in memory until it is deleted
  }
}
