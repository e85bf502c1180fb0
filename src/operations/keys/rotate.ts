import { publishKey } from './publish-key.ts'
import { rotateKey, successorOf, type Rotation } from './rotate-key.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { expiry, overlap } from './moments.ts'
import { keyOf, readKeys } from './read-keys.ts'
import { isoOrNull, shown } from './key-lines.ts'

export interface RotateOptions {
  readonly overlap: string
  readonly expires?: string
  readonly json?: true
  readonly dryRun?: true
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

  const rotation = rotateKey(key, { now, overlapMs, ...(expires_at !== undefined && { expires_at }) })
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
