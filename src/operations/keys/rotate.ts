import { publishKey, createKey } from './create-key.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { type CommandOptions, expiry, overlap } from '../options.ts'
import { keyOf, readKeys, isoOrNull, ownerOf, shown } from './read-keys.ts'
import type { KeyChanged } from '../../events/settings.ts'
import { keyState } from '../../api/http/keys/key-book.ts'

export interface RotateOptions extends CommandOptions {
  readonly overlap: string
  readonly expires?: string
}

/** The new key is made known before the old one's end: whatever fails between, somebody has a key. */
export async function rotate(wiring: Wiring, id: string, options: RotateOptions): Promise<void> {
  const now = wiring.clock.now()
  const overlapMs = overlap(options.overlap)
  const expires_at = options.expires === undefined ? undefined : expiry(options.expires, now)
  const book = await readKeys(wiring)
  const key = keyOf(book, id)
  const successor = successorOf(key, book.all(), now)
  if (successor !== null) {
    throw new Error(`${id} was already rotated: ${successor.key_id} replaced it. Rotate or revoke that key`)
  }

  const rotation = rotateKey(key, { now, overlapMs, expires_at })
  if (options.dryRun !== true) {
    const ports = { log: await wiring.log(), codec: await wiring.codec() }
    await publishKey(rotation.next, ports)
    await publishKey(rotation.old, ports)
  }
  print(wiring, rotation, { ...options, now })
}

function print(wiring: Wiring, { key, next, old }: Rotation, { json, dryRun, now }: RotateOptions & { now: number }) {
  const oldEnds = isoOrNull(old.revoked_at ?? old.expires_at)
  const rotated_from = { id: old.key_id, ends_at: oldEnds }
  if (dryRun) {
    const { tier, namespace, curator, name, owner, expires_at } = shown(next, now)
    if (json) wiring.out.json({ dry_run: true, tier, namespace, curator, name, owner, expires_at, rotated_from })
    else
      wiring.out.line(
        `Would create a ${next.tier} key for ${next.namespace}; ${old.key_id} would expire at ${oldEnds}.`,
      )
  } else if (json) wiring.out.json({ key, ...shown(next, now), rotated_from })
  else {
    wiring.out.line(key)
    wiring.out.progress(
      `${next.key_id} replaces ${old.key_id}, which expires at ${oldEnds}. The key is not shown again.\n`,
    )
  }
}

interface Rotation {
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
  readonly expires_at?: number | undefined
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
      owner: ownerOf(old),
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
  const after = keys.filter((key) => key.owner === ownerOf(old) && key.created_at > old.created_at)
  return after.find((key) => keyState(key, now) === 'live') ?? null
}
