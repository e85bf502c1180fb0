import type { ChangeType } from '../../events/changes.ts'
import type { Store } from '../../ports/store.ts'
import { type FeedChange, changesAfter, newestChange } from '../../views/changes/page.ts'
import { past, type Begin, type ChangePosition } from '../../views/changes/position.ts'
import type { Hub } from './broadcaster.ts'

interface ReaderPorts {
  readonly hub: Hub
  readonly store: Store
}

export interface FeedFilter extends Begin {
  readonly namespace: string
  readonly types: readonly ChangeType[]
  /** Changes that are read at a time. */
  readonly page: number
}

/** What there is now, a page at most. */
export interface FeedRead {
  readonly changes: readonly FeedChange[]
  /** `now`: there is more; `soon`: there is, when the view has come up to the ring; `woken`: that was all. */
  readonly again: 'now' | 'soon' | 'woken'
}

/**
 * Reads the feed of a namespace on from a place: from the ring as far as that goes back, else page by page from the view.
 * Between the two nothing is missed: the view's rows are taken until it has all that the ring has not.
 */
export class FeedReader {
  /** Behind all that was read. */
  position: ChangePosition
  private readonly ports: ReaderPorts
  private readonly filter: FeedFilter
  private readonly types: ReadonlySet<ChangeType>
  /** Of the hub, when the view had nothing of this namespace before its ring. */
  private checkedIn: number | null = null
  /** The view had more than the last page. */
  private isMoreInView = false

  constructor(ports: ReaderPorts, filter: FeedFilter) {
    this.ports = ports
    this.filter = filter
    this.types = new Set(filter.types)
    this.position = filter.position
  }

  /** To be called once the hub is there: leaves out whatever there has been up to now. Throws when the store is away. */
  async skipToNow(): Promise<void> {
    const { hub, store } = this.ports
    const [newest] = await newestChange(store)({ namespace: this.filter.namespace })
    const partition = newest?.partition ?? this.partition()
    const after = partition === null ? -1 : Math.max(newest?.offset ?? -1, hub.reached(partition) - 1)
    this.position = { after, partition, had: Math.max(this.position.had, hub.upToDateAt) }
    this.checkedIn = hub.generation
  }

  /** Throws when the store or the log is away: nothing is lost, it may be asked again. */
  async read(): Promise<FeedRead> {
    if (this.isInRing()) return this.fromRing()
    const { hub } = this.ports
    const [floor, generation] = [hub.ring.floor(), hub.generation]
    const found = await this.fromView()
    if (found.length > 0) return { changes: found, again: 'now' }
    if (!(await hub.viewReaches(floor, this.partition()))) return { changes: [], again: 'soon' }
    const since = await this.fromView() // between the two the view may have come up to it
    if (since.length > 0) return { changes: since, again: 'now' }

    if (generation === hub.generation) this.goTo(floor, generation)
    return this.isInRing() ? this.fromRing() : { changes: [], again: 'soon' }
  }

  /** Whether anything that is wanted is known to stand behind the place, in the view or in what the hub has read since. */
  hasMore(): boolean {
    if (this.isMoreInView) return true
    const rest = this.ports.hub.ring.after(this.filter.namespace, this.position.after, Infinity)
    return rest.some(({ type }) => this.types.has(type))
  }

  private partition(): number | null {
    return this.position.partition ?? this.ports.hub.firstSeen(this.filter.namespace)?.partition ?? null
  }

  private isInRing(): boolean {
    const { hub } = this.ports
    if (this.checkedIn === hub.generation) this.meetFirst()
    const { partition, after } = this.position
    if (partition === null) return this.checkedIn === hub.generation
    return after + 1 >= (hub.ring.floor()[partition] ?? 0)
  }

  /** There was nothing before the ring: what the hub saw first is the next. */
  private meetFirst(): void {
    const first = this.ports.hub.firstSeen(this.filter.namespace)
    if (this.position.partition !== null || first === null) return
    this.position = { ...this.position, partition: first.partition, after: first.offset - 1 }
  }

  /** The view has shown all before these offsets. */
  private goTo(floor: readonly number[], generation: number): void {
    const { partition, after } = this.position
    if (partition === null) this.checkedIn = generation
    else this.position = { ...this.position, after: Math.max(after, (floor[partition] ?? 0) - 1) }
  }

  private fromRing(): FeedRead {
    const { hub } = this.ports
    const { namespace, page } = this.filter
    const read = hub.ring.after(namespace, this.position.after, page)
    const isAll = read.length < page
    this.isMoreInView = false
    const last = read.at(-1)
    if (last !== undefined) this.position = past(this.position, last)
    if (isAll) this.position = this.atTip()
    return { changes: read.filter(({ type }) => this.types.has(type)), again: isAll ? 'woken' : 'now' }
  }

  /** Nothing of the namespace is left in what the hub has read. */
  private atTip(): ChangePosition {
    const { hub } = this.ports
    const { partition, after, had } = this.position
    const tip = partition === null ? after : Math.max(after, hub.reached(partition) - 1)
    return { partition, after: tip, had: Math.max(had, hub.upToDateAt) }
  }

  private async fromView(): Promise<readonly FeedChange[]> {
    const { namespace, types, since, page } = this.filter
    const { after } = this.position
    const more = await changesAfter(this.ports.store)({ namespace, after, since, types: [...types], limit: page + 1 })
    const found = more.slice(0, page)
    this.isMoreInView = more.length > page
    const last = found.at(-1)
    if (last !== undefined) this.position = past(this.position, last)
    return found
  }
}
