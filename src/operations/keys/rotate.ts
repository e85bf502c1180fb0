import { publishKey, createKey } from './create-key.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { type CommandOptions, expiry, overlap } from '../options.ts'
import { keyOf, readKeys, isoOrNull, ownerOf, shown } from './read-keys.ts'
import type { KeyChanged } from '../../events/settings.ts'
import { recordedScopes } from '../../api/http/keys/scopes.ts'
import { keyState } from '../../api/http/keys/key-book.ts'

export interface RotateOptions extends CommandOptions {
  readonly overlap: string
  readonly expires?: string
}

/** The new key is published before the old one ends: after a failure in between, a valid key still exists. */
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
    const { tier, namespace, scopes, curator, name, owner, expires_at } = shown(next, now)
    if (json)
      wiring.out.json({ dry_run: true, tier, namespace, scopes, curator, name, owner, expires_at, rotated_from })
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
  /** The old key with its new end: after the overlap, or at once. */
  readonly old: KeyChanged
}

interface RotateKeyTerms {
  readonly now: number
  /** How long both keys are valid; 0 revokes the old one now. */
  readonly overlapMs: number
  /** Expiry of the new key, milliseconds since 1970; `undefined` gives it the same lifetime as the old one. */
  readonly expires_at?: number | undefined
}

/**
 * Issues a new key with the same tier, namespace, scopes, name and owner. Rotation never extends the old key: if
 * it expires before the overlap ends, that expiry stays. Throws if the key is revoked or expired.
 */
export function rotateKey(old: KeyChanged, { now, overlapMs, expires_at }: RotateKeyTerms): Rotation {
  const state = keyState(old, now)
  if (state !== 'live') throw new Error(`${old.key_id} is ${state}: issue a new key with \`story keys create\``)
  const { key, event } = createKey(
    {
      tier: old.tier,
      privateNamespace: old.namespace, // `shared` is mapped to itself
      scopes: recordedScopes(old),
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

/** The live key that replaced this one; `null` if there is none. */
export const successorOf = (old: KeyChanged, keys: readonly KeyChanged[], now: number): KeyChanged | null => {
  const after = keys.filter((key) => key.owner === ownerOf(old) && key.created_at > old.created_at)
  return after.find((key) => keyState(key, now) === 'live') ?? null
}
