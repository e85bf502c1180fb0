import type { ChangelogCopy, Checkpoints } from '../../src/ports/checkpoints.ts'
import { MemoryCheckpoints } from '../../src/state/memory-checkpoints.ts'

/**
 * A test double of a local disk. What was appended survives the processes that use it. `access` is called before each
 * access, so that it may fail or wait.
 */
export class DiskDouble implements Checkpoints {
  private readonly disk: Checkpoints
  private readonly access: (what: string) => Promise<void>

  constructor(
    access: (what: string) => Promise<void> = async () => undefined,
    disk: Checkpoints = new MemoryCheckpoints(),
  ) {
    this.access = access
    this.disk = disk
  }

  /** The same disk, seen by another process. */
  as(access: (what: string) => Promise<void>): DiskDouble {
    return new DiskDouble(access, this.disk)
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
