import { timingSafeEqual } from 'node:crypto'
import { keysChanged, type KeyChanged } from '../../events/settings.ts'
import type { Codec, Log, LogRecord } from '../../ports/log.ts'
import { isKey, keyHash } from './key.ts'

export interface KeyPorts {
  readonly log: Pick<Log, 'ends' | 'read'>
  readonly codec: Codec
}

/** Every key as `keys.changed` tells it: a fold that holds hashes, never keys. */
export class KeyBook {
  private readonly byId = new Map<string, KeyChanged>()
  private readonly byHash = new Map<string, KeyChanged>()
  private next: number[] = []

  /** Reads on from where it stood to the end of the topic as it is now. Answers the offsets it could not understand. */
  async catchUp({ log, codec }: KeyPorts): Promise<readonly number[]> {
    const ends = await log.ends(keysChanged.name)
    if (ends.some((end, partition) => end < (this.next[partition] ?? 0))) this.forget() // the topic was made anew
    const strange: number[] = []
    for (const [partition, end] of ends.entries()) {
      const from = this.next[partition] ?? 0
      if (from >= end) continue
      for await (const records of log.read(keysChanged.name, partition, from)) {
        for (const record of records) if (!(await this.apply(record, codec))) strange.push(record.offset)
      }
      this.next[partition] = end
    }
    return strange
  }

  /** The key of this text, whatever its state; null when there is none, a typo found without a look-up. */
  find(key: string): KeyChanged | null {
    if (!isKey(key)) return null
    const hash = keyHash(key)
    const found = this.byHash.get(hash)
    return found !== undefined && sameHash(found.key_hash, hash) ? found : null
  }

  byKeyId(id: string): KeyChanged | null {
    return this.byId.get(id) ?? null
  }

  /** Oldest first. */
  all(): readonly KeyChanged[] {
    return [...this.byId.values()].sort((a, b) => a.created_at - b.created_at || (a.key_id < b.key_id ? -1 : 1))
  }

  private async apply({ key, value }: LogRecord, codec: Codec): Promise<boolean> {
    if (value === null) {
      if (key !== null) this.remove(key)
      return true
    }
    const decoded = await codec.decode(keysChanged, value)
    if (decoded.kind === 'malformed') return false
    this.remove(decoded.event.key_id)
    this.byId.set(decoded.event.key_id, decoded.event)
    this.byHash.set(decoded.event.key_hash, decoded.event)
    return true
  }

  private remove(keyId: string): void {
    const old = this.byId.get(keyId)
    if (old === undefined) return
    this.byId.delete(keyId)
    this.byHash.delete(old.key_hash)
  }

  private forget(): void {
    this.byId.clear()
    this.byHash.clear()
    this.next = []
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
