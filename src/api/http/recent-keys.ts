export interface KeyBounds {
  /** Limit of entries per owner. */
  readonly ofOwner: number
  /** Limit of entries of all owners together. */
  readonly inAll: number
  /** Milliseconds after which an unused entry is evicted. */
  readonly idleMs: number
}

/** An entry with `users` above 0 is in use and is never evicted. */
export interface InUse {
  users: number
}

interface CachedKey<Entry> {
  readonly owner: string
  readonly entry: Entry
  usedAt: number
}

/**
 * An LRU cache of entries by owner and key. Evicts the least recently used entries of an owner beyond its limit, of all
 * owners beyond the total limit, and entries that were idle too long.
 */
export class RecentKeys<Entry extends InUse> {
  private readonly bounds: KeyBounds
  /** By id, in order of use: the least recently used comes first. */
  private readonly all = new Map<string, CachedKey<Entry>>()
  private readonly owners = new Map<string, Set<string>>()

  constructor(bounds: KeyBounds) {
    this.bounds = bounds
  }

  get size(): number {
    return this.all.size
  }

  /** Returns the entry, creating it if there is none, and marks it as used at `now` (milliseconds since 1970). */
  use(owner: string, key: string, { now, make }: { readonly now: number; readonly make: () => Entry }): Entry {
    const id = idOf(owner, key)
    const known = this.all.get(id)
    const cached = known ?? { owner, entry: make(), usedAt: now }
    cached.usedAt = now
    this.touch(id, cached)
    this.evict(owner, now, id)
    return cached.entry
  }

  /** Drops an entry, unless another one has replaced it. */
  drop(owner: string, key: string, entry: Entry): void {
    const id = idOf(owner, key)
    if (this.all.get(id)?.entry === entry) this.remove(id, owner)
  }

  private touch(id: string, held: CachedKey<Entry>): void {
    const ids = this.owners.get(held.owner) ?? new Set()
    this.owners.set(held.owner, ids)
    ids.delete(id)
    ids.add(id)
    this.all.delete(id)
    this.all.set(id, held)
  }

  private evict(owner: string, now: number, newest: string): void {
    this.evictOf(owner, newest)
    for (const [id, { owner: other, usedAt }] of this.all) {
      if (this.all.size <= this.bounds.inAll && now - usedAt < this.bounds.idleMs) break
      if (this.isIdle(id, newest)) this.remove(id, other)
    }
  }

  private evictOf(owner: string, newest: string): void {
    const own = this.owners.get(owner) ?? new Set()
    for (const id of own) {
      if (own.size <= this.bounds.ofOwner) break
      if (this.isIdle(id, newest)) this.remove(id, owner)
    }
  }

  private isIdle(id: string, newest: string): boolean {
    return id !== newest && this.all.get(id)?.entry.users === 0
  }

  private remove(id: string, owner: string): void {
    this.all.delete(id)
    const ids = this.owners.get(owner)
    ids?.delete(id)
    if (ids?.size === 0) this.owners.delete(owner)
  }
}

const idOf = (owner: string, key: string): string => `${owner}\n${key}`
