export interface KeyBounds {
  /** Entries of one owner. */
  readonly ofOwner: number
  /** Entries of all owners together. */
  readonly inAll: number
  /** An entry that was not used for this long is dropped, milliseconds. */
  readonly idleMs: number
}

/** An entry that is in use is never dropped. */
export interface InUse {
  inside: number
}

interface HeldKey<Entry> {
  readonly owner: string
  readonly entry: Entry
  usedAt: number
}

/**
 * Entries by owner and key, the least recently used dropped first: of one owner beyond its share, of all beyond the
 * bound of the process, and any that has been idle too long.
 */
export class RecentKeys<Entry extends InUse> {
  private readonly bounds: KeyBounds
  /** By id; the least recently used first. */
  private readonly all = new Map<string, HeldKey<Entry>>()
  private readonly owners = new Map<string, Set<string>>()

  constructor(bounds: KeyBounds) {
    this.bounds = bounds
  }

  get size(): number {
    return this.all.size
  }

  /** The entry, made where there is none; it counts as used now (milliseconds since 1970). */
  use(owner: string, key: string, { now, make }: { readonly now: number; readonly make: () => Entry }): Entry {
    const id = idOf(owner, key)
    const known = this.all.get(id)
    const held = known ?? { owner, entry: make(), usedAt: now }
    held.usedAt = now
    this.touch(id, held)
    this.evict(owner, now, id)
    return held.entry
  }

  /** Drops an entry, unless another has taken its place. */
  drop(owner: string, key: string, entry: Entry): void {
    const id = idOf(owner, key)
    if (this.all.get(id)?.entry === entry) this.remove(id, owner)
  }

  private touch(id: string, held: HeldKey<Entry>): void {
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
    return id !== newest && this.all.get(id)?.entry.inside === 0
  }

  private remove(id: string, owner: string): void {
    this.all.delete(id)
    const ids = this.owners.get(owner)
    ids?.delete(id)
    if (ids?.size === 0) this.owners.delete(owner)
  }
}

const idOf = (owner: string, key: string): string => `${owner}\n${key}`
