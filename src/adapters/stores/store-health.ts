import { furthest, reachesOffsets, type StoreOffsets } from '../../domain/stores.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'

export interface HealthParts {
  readonly stores: readonly { readonly name: string; readonly store: Pick<Store, 'ping'> }[]
  /** The committed offsets of a store's views. */
  readonly offsetsOf: (store: string) => Promise<StoreOffsets>
  readonly clock: Clock
}

const CHECK_EVERY_MS = 5_000
/** Between the first two measurements. */
const FIRST_MS = 500
/** A check that takes longer does not delay reads. */
const CHECK_MS = 3_000

/**
 * Which of several stores can be read: those that respond and have read what the furthest of them had read at the check
 * before. Measured at the first use and then, while the stores are used, every five seconds.
 */
export class StoreHealth {
  private readonly parts: HealthParts
  private names: ReadonlySet<string>
  private before: StoreOffsets | null = null
  private checkedAt = -Infinity
  private checking: Promise<void> | null = null

  constructor(parts: HealthParts) {
    this.parts = parts
    this.names = new Set(parts.stores.map(({ name }) => name))
  }

  /** The names of the stores that can be read; may be empty. */
  async usable(): Promise<ReadonlySet<string>> {
    const { clock } = this.parts
    const isFirst = this.checkedAt === -Infinity
    if (clock.now() - this.checkedAt >= CHECK_EVERY_MS) {
      this.checking ??= this.check().finally(() => (this.checking = null))
      if (isFirst) await this.checking
    }
    return this.names
  }

  /** A read failed because the store did not respond: it is not read before the next check. */
  failed(name: string): void {
    this.names = new Set([...this.names].filter((one) => one !== name))
  }

  /** Without the log nothing is known of offsets, and the last result stays. */
  private async check(): Promise<void> {
    const { clock } = this.parts
    const ended = new AbortController()
    await Promise.race([this.measure(), clock.sleep(CHECK_MS, ended.signal)]).catch(() => undefined)
    ended.abort()
    this.checkedAt = clock.now()
  }

  private async measure(): Promise<void> {
    const { stores, offsetsOf, clock } = this.parts
    const offsets = () => Promise.all(stores.map(({ name }) => offsetsOf(name)))
    if (this.before === null) {
      this.before = furthest(await offsets())
      await clock.sleep(FIRST_MS)
    }
    const found = await offsets()
    const target = this.before
    this.before = furthest(found)
    const respond = await Promise.all(stores.map(({ store }) => store.ping().catch(() => false)))
    const names = stores.map(({ name }) => name)
    this.names = new Set(names.filter((_, i) => respond[i] === true && reachesOffsets(found[i] ?? {}, target)))
  }
}
