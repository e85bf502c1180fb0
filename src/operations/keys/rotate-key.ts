import type { KeyChanged } from '../../events/settings.ts'
import { createKey } from './create-key.ts'
import { keyState } from '../../api/http/keys/key-book.ts'

export interface Rotation {
  /** Shown once. */
  readonly key: string
  readonly next: KeyChanged
  /** The old key as it is from now on: it ends after the overlap, or at once. */
  readonly old: KeyChanged
}

interface RotateKeyTerms {
  readonly now: number
  /** How long both are good; 0: the old one is revoked now. */
  readonly overlapMs: number
  /** Of the new key, milliseconds since 1970; undefined: it lives as long as the old one was made to. */
  readonly expires_at?: number
}

/**
 * The same right under a new key: tier, namespace, curator's right, name and owner stay. A key never gets longer by being
 * rotated, so one that ends before the overlap does ends then. Throws when the key is over.
 */
export function rotateKey(old: KeyChanged, { now, overlapMs, expires_at }: RotateKeyTerms): Rotation {
  const state = keyState(old, now)
  if (state !== 'live') throw new Error(`${old.key_id} is ${state}: issue a new key with \`story keys create\``)
  const { key, event } = createKey(
    {
      tier: old.tier,
      privateNamespace: old.namespace, // the shared one comes out the same
      curator: old.curator,
      name: old.name,
      expires_at: expires_at ?? sameLife(old, now),
      owner: old.owner === '' ? old.key_id : old.owner,
    },
    now,
  )
  const until = Math.min(old.expires_at ?? Infinity, now + overlapMs)
  return { key, next: event, old: overlapMs === 0 ? { ...old, revoked_at: now } : { ...old, expires_at: until } }
}

const sameLife = ({ created_at, expires_at }: KeyChanged, now: number): number | null =>
  expires_at === null ? null : now + (expires_at - created_at)

/** The key that took this one's place already; null: none that is live. */
export const successorOf = (old: KeyChanged, keys: readonly KeyChanged[], now: number): KeyChanged | null => {
  const owner = old.owner === '' ? old.key_id : old.owner
  const after = keys.filter((key) => key.owner === owner && key.created_at > old.created_at)
  return after.find((key) => keyState(key, now) === 'live') ?? null
}
