import { furthest, overlap, reachesOffsets, type StoreOffsets, type StoreScope } from '../../domain/stores.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'

export interface HealthParts {
  readonly stores: readonly { readonly scope: StoreScope; readonly store: Pick<Store, 'ping'> }[]
  /** The committed offsets of a store's views. */
  readonly offsetsOf: (store: string) => Promise<StoreOffsets>
  readonly clock: Clock
}

const CHECK_EVERY_MS = 5_000
/** Older offsets say nothing of how far a store is behind. */
const OLD_MS = 15_000
/** Between two measurements, if there are no earlier offsets. */
const FIRST_MS = 500
/** A check that takes longer does not delay reads. */
const CHECK_MS = 3_000

/** Offsets by store, in the order of the stores. */
interface MeasuredOffsets {
  readonly at: number
  readonly offsets: readonly StoreOffsets[]
}

/**
 * Which of several stores can be read: those that respond and have read what the furthest store with the same namespaces
 * had read at the check before. Measured at the first use and then, while the stores are used, every five seconds.
 */
export class StoreHealth {
  private readonly parts: HealthParts
  private names: ReadonlySet<string>
  private before: MeasuredOffsets | null = null
  private checking: Promise<void> | null = null

  constructor(parts: HealthParts) {
    this.parts = parts
    this.names = new Set(parts.stores.map(({ scope }) => scope.name))
  }

  /** The names of the stores that can be read; may be empty. */
  async usable(): Promise<ReadonlySet<string>> {
    const { clock } = this.parts
    const age = clock.now() - (this.before?.at ?? -Infinity)
    if (age >= CHECK_EVERY_MS) {
      this.checking ??= this.check().finally(() => (this.checking = null))
      if (age >= OLD_MS) await this.waited(this.checking)
    }
    return this.names
  }

  /** A read failed because the store did not respond: it is not read before the next check. */
  failed(name: string): void {
    this.names = new Set([...this.names].filter((one) => one !== name))
  }

  private async waited(check: Promise<void>): Promise<void> {
    const ended = new AbortController()
    await Promise.race([check, this.parts.clock.sleep(CHECK_MS, ended.signal)])
    ended.abort()
  }

  /** Without the log nothing is known of offsets, and the last result stays. */
  private async check(): Promise<void> {
    const { clock } = this.parts
    try {
      await this.measure()
    } catch {
      this.before = { at: clock.now(), offsets: this.before?.offsets ?? [] }
    }
  }

  private async measure(): Promise<void> {
    const { stores, clock } = this.parts
    let target = this.before
    if (target === null || clock.now() - target.at >= OLD_MS) {
      target = { at: clock.now(), offsets: await this.offsets() }
      await clock.sleep(FIRST_MS)
    }
    const found = await this.offsets()
    const respond = await Promise.all(stores.map(({ store }) => store.ping().catch(() => false)))
    this.before = { at: clock.now(), offsets: found }
    this.names = new Set(
      stores
        .filter((store, i) => respond[i] === true && reachesOffsets(found[i] ?? {}, this.targetOf(store.scope, target)))
        .map(({ scope }) => scope.name),
    )
  }

  private offsets(): Promise<readonly StoreOffsets[]> {
    return Promise.all(this.parts.stores.map(({ scope }) => this.parts.offsetsOf(scope.name)))
  }

  private targetOf(scope: StoreScope, { offsets }: MeasuredOffsets): StoreOffsets {
    return furthest(
      offsets.filter((_, i) => this.parts.stores[i] !== undefined && overlap(scope, this.parts.stores[i].scope)),
    )
  }
}
