import { timingSafeEqual } from 'node:crypto'
import { keysChanged, type KeyChanged } from '../../events/settings.ts'
import { Book, type BookPorts } from '../../settings/book.ts'
import { isKey, keyHash } from './key.ts'

export type KeyPorts = BookPorts

/** More keys than are in use at once in one instance. */
const REMEMBERED = 10_000

/** Every key as `keys.changed` tells it: a fold that holds hashes; keys only as long as they are in use. */
export class KeyBook extends Book<KeyChanged> {
  private readonly byHash = new Map<string, KeyChanged>()
  /** Keys that were asked with, so that not every request pays for hashing; all forgotten with any change of any key. */
  private readonly asked = new Map<string, KeyChanged>()

  constructor() {
    super(keysChanged)
  }

  /** The key of this text, whatever its state; null when there is none, a typo found without a look-up. */
  find(key: string): KeyChanged | null {
    const known = this.asked.get(key)
    if (known !== undefined) return known
    if (!isKey(key)) return null
    const hash = keyHash(key)
    const found = this.byHash.get(hash)
    if (found === undefined || !sameHash(found.key_hash, hash)) return null
    if (this.asked.size >= REMEMBERED) this.asked.clear()
    this.asked.set(key, found)
    return found
  }

  /** Oldest first. */
  override all(): readonly KeyChanged[] {
    return [...super.all()].sort((a, b) => a.created_at - b.created_at || (a.key_id < b.key_id ? -1 : 1))
  }

  protected override changed(before: KeyChanged | null, now: KeyChanged | null): void {
    this.asked.clear()
    if (before !== null) this.byHash.delete(before.key_hash)
    if (now !== null) this.byHash.set(now.key_hash, now)
  }
}

function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** What a key may still do. */
export function keyState({ expires_at, revoked_at }: KeyChanged, now: number): 'live' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'live'
}
