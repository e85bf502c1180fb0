import { timingSafeEqual } from 'node:crypto'
import { keysChanged, type KeyChanged } from '../../../events/settings.ts'
import { Book } from '../../../state/settings/book.ts'
import { hasLiveKey, ownerName, ownerNameOfKey } from '../../../state/settings/has-live-key.ts'
import { isKey, keyHash } from './key.ts'

/** More than the keys that one instance serves at the same time. */
const CACHE_SIZE = 10_000

/** All keys of `keys.changed`, by hash. The keys themselves are only held in memory while in use. */
export class KeyBook extends Book<KeyChanged> {
  private readonly byHash = new Map<string, KeyChanged>()
  private readonly byOwner = new Map<string, Map<string, KeyChanged>>()
  /** Cache of keys that callers sent, so that not every request has to hash. Cleared when any key changes. */
  private readonly recent = new Map<string, KeyChanged>()

  constructor() {
    super(keysChanged)
  }

  /** The record of a key in any state; `null` if there is none. The checksum detects a typo without a lookup. */
  find(key: string): KeyChanged | null {
    const known = this.recent.get(key)
    if (known !== undefined) return known
    if (!isKey(key)) return null
    const hash = keyHash(key)
    const found = this.byHash.get(hash)
    if (found === undefined || !sameHash(found.key_hash, hash)) return null
    if (this.recent.size >= CACHE_SIZE) this.recent.clear()
    this.recent.set(key, found)
    return found
  }

  /** Oldest first. */
  override all(): readonly KeyChanged[] {
    return [...super.all()].sort((a, b) => a.created_at - b.created_at || (a.key_id < b.key_id ? -1 : 1))
  }

  /** Whether the owner has a key that is neither revoked nor expired. Reads the keys of this owner only. */
  hasLiveKey(owner: Pick<KeyChanged, 'namespace' | 'owner'>, now: number): boolean {
    return hasLiveKey(owner, this.byOwner.get(ownerName(owner))?.values() ?? [], now)
  }

  protected override changed(before: KeyChanged | null, now: KeyChanged | null): void {
    this.recent.clear()
    if (before !== null) this.remove(before)
    if (now !== null) this.add(now)
  }

  private add(key: KeyChanged): void {
    this.byHash.set(key.key_hash, key)
    const name = ownerNameOfKey(key)
    const keys = this.byOwner.get(name) ?? new Map<string, KeyChanged>()
    this.byOwner.set(name, keys.set(key.key_id, key))
  }

  private remove(key: KeyChanged): void {
    this.byHash.delete(key.key_hash)
    const name = ownerNameOfKey(key)
    const keys = this.byOwner.get(name)
    keys?.delete(key.key_id)
    if (keys?.size === 0) this.byOwner.delete(name)
  }
}

function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Whether a key is valid at a time. */
export function keyState({ expires_at, revoked_at }: KeyChanged, now: number): 'live' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'live'
}
