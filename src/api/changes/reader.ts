import type { ChangeType } from '../../events/changes.ts'
import { pinnedTo, type Store, type StorePin } from '../../ports/store.ts'
import {
  type ChangeReader,
  type FeedChange,
  changesAfter,
  isReadableBy,
  newestChange,
} from '../../views/changes/page.ts'
import { past, type Begin, type ChangePosition } from '../../views/changes/position.ts'
import type { Broadcaster } from './broadcaster.ts'

interface ReaderPorts {
  readonly broadcaster: Broadcaster
  readonly store: Store
}

export interface FeedFilter extends Begin, ChangeReader {
  readonly types: readonly ChangeType[]
  /** Maximum number of changes per read. */
  readonly page: number
}

/** The available changes, at most one page. */
export interface FeedRead {
  readonly changes: readonly FeedChange[]
  /**
   * When to read again. `now`: there is more. `soon`: there is more once the view has caught up to the buffer. `woken`:
   * no more until `wake`.
   */
  readonly again: 'now' | 'soon' | 'woken'
}

/**
 * Reads a namespace's feed from a position: from the buffer if the position is still in it, otherwise page by page from
 * the view. No change is missed in between: it reads from the view until the view has everything before the
 * buffer's floor.
 */
export class FeedReader {
  /** The position after everything that was read. */
  position: ChangePosition
  private readonly ports: ReaderPorts
  private readonly filter: FeedFilter
  private readonly types: ReadonlySet<ChangeType>
  /** The broadcaster's generation in which the view had no change of this namespace; `null` before that. */
  private checkedGeneration: number | null = null
  /** Whether the view has more than the last page. */
  private isMoreInView = false

  constructor(ports: ReaderPorts, filter: FeedFilter) {
    this.ports = ports
    this.filter = filter
    this.types = new Set(filter.types)
    this.position = filter.position
  }

  /** Skips all existing changes. Call it after joining the broadcaster. Throws if the store is unavailable. */
  async skipToNow(): Promise<void> {
    const { broadcaster, store } = this.ports
    const [newest] = await newestChange(store)({ namespace: this.filter.namespace })
    const partition = newest === undefined ? this.partition() : this.partitionNow(newest.partition)
    const after = partition === null ? -1 : Math.max(newest?.offset ?? -1, broadcaster.reached(partition) - 1)
    this.position = { after, partition, had: Math.max(this.position.had, broadcaster.caughtUpAt) }
    this.checkedGeneration = broadcaster.generation
  }

  /** Throws if the store or the log is unavailable. The position does not move, so the call can be repeated. */
  async read(): Promise<FeedRead> {
    if (this.isInBuffer()) return this.fromBuffer()
    const { broadcaster } = this.ports
    const [floor, generation] = [broadcaster.buffer.floor(), broadcaster.generation]
    const pin: StorePin = { server: null }
    const store = pinnedTo(this.ports.store, pin)
    const found = await this.fromView(store)
    if (found.length > 0) return { changes: found, again: 'now' }
    const reaches = await broadcaster.viewReaches({ floor, partition: this.partition(), server: pin.server })
    if (!reaches) return { changes: [], again: 'soon' }
    const since = await this.fromView(store) // the view may have caught up between the two queries
    if (since.length > 0) return { changes: since, again: 'now' }

    if (generation === broadcaster.generation) this.skipTo(floor, generation)
    return this.isInBuffer() ? this.fromBuffer() : { changes: [], again: 'soon' }
  }

  /** Whether the view or the buffer has more changes for the subscriber after the position. */
  hasMore(): boolean {
    if (this.isMoreInView) return true
    const rest = this.ports.broadcaster.buffer.after(this.filter.namespace, this.position.after, Infinity)
    return rest.some((change) => this.isFor(change))
  }

  private isFor(change: FeedChange): boolean {
    return this.types.has(change.type) && isReadableBy(this.filter, change)
  }

  private partition(): number | null {
    const { partition } = this.position
    if (partition !== null) return this.partitionNow(partition)
    return this.ports.broadcaster.firstSeen(this.filter.namespace)?.partition ?? null
  }

  /**
   * A cursor, and a row of the view, from before the partitions grew names the partition of that time. Offsets are the
   * same in both, so the position stays valid.
   */
  private partitionNow(partition: number): number {
    return this.ports.broadcaster.partitionOf(this.filter.namespace) ?? partition
  }

  private isInBuffer(): boolean {
    const { broadcaster } = this.ports
    if (this.checkedGeneration === broadcaster.generation) this.startAtFirst()
    const { partition, after } = this.position
    if (partition === null) return this.checkedGeneration === broadcaster.generation
    return after + 1 >= (broadcaster.buffer.floor()[this.partitionNow(partition)] ?? 0)
  }

  /** No change precedes the buffer, so the next one is the first that the broadcaster has read. */
  private startAtFirst(): void {
    const first = this.ports.broadcaster.firstSeen(this.filter.namespace)
    if (this.position.partition !== null || first === null) return
    this.position = { ...this.position, partition: first.partition, after: first.offset - 1 }
  }

  /** The view has returned everything before these offsets. */
  private skipTo(floor: readonly number[], generation: number): void {
    const { partition, after } = this.position
    if (partition === null) this.checkedGeneration = generation
    else this.position = { ...this.position, after: Math.max(after, (floor[this.partitionNow(partition)] ?? 0) - 1) }
  }

  private fromBuffer(): FeedRead {
    const { broadcaster } = this.ports
    const { namespace, page } = this.filter
    const read = broadcaster.buffer.after(namespace, this.position.after, page)
    const isAll = read.length < page
    this.isMoreInView = false
    const last = read.at(-1)
    if (last !== undefined) this.position = past(this.position, last)
    if (isAll) this.position = this.atTip()
    return { changes: read.filter((change) => this.isFor(change)), again: isAll ? 'woken' : 'now' }
  }

  /** The position after everything that the broadcaster has read. */
  private atTip(): ChangePosition {
    const { broadcaster } = this.ports
    const { after, had } = this.position
    const partition = this.position.partition === null ? null : this.partitionNow(this.position.partition)
    const tip = partition === null ? after : Math.max(after, broadcaster.reached(partition) - 1)
    return { partition, after: tip, had: Math.max(had, broadcaster.caughtUpAt) }
  }

  private async fromView(store: Store): Promise<readonly FeedChange[]> {
    const { namespace, owner, types, since, page } = this.filter
    const { after } = this.position
    const range = { namespace, owner, after, since, types: [...types], limit: page + 1 }
    const more = await changesAfter(store)(range)
    const found = more.slice(0, page)
    this.isMoreInView = more.length > page
    const last = found.at(-1)
    if (last !== undefined) this.position = past(this.position, last)
    return found
  }
}
