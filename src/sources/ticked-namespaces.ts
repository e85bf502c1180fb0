import { SHARED } from '../domain/intake/articles.ts'
import type { KeyChanged } from '../events/settings.ts'
import { isLive } from '../state/settings/has-live-key.ts'

/** How often a namespace without a live key is checked. */
const LOOK_EVERY_MS = 3_600_000

type Key = Pick<KeyChanged, 'namespace' | 'expires_at' | 'revoked_at'>

export interface TickedNamespacesPorts {
  readonly keys: () => Promise<readonly Key[]>
  /** Namespaces that are always ticked: those of the connectors. */
  readonly always: readonly string[]
  /** When the newest event about the stories of a namespace was logged, milliseconds since 1970; `null` if none is known. */
  readonly newestFact: (namespace: string) => Promise<number | null>
  /** This long after its last event or key, nothing of a namespace depends on time: no rule, no text that expires. */
  readonly quietMs: number
}

/**
 * Namespaces that are ticked: those with a live key, and those with recent events, since their stories still change and
 * their posts still expire. If that cannot be determined, a namespace is ticked.
 */
export class TickedNamespaces {
  private readonly ports: TickedNamespacesPorts
  private readonly looks = new Map<string, { readonly at: number; readonly newest: number }>()

  constructor(ports: TickedNamespacesPorts) {
    this.ports = ports
  }

  async at(now: number): Promise<readonly string[]> {
    const keys = await this.ports.keys()
    const ticked = new Set([SHARED, ...this.ports.always])
    for (const key of keys) if (isLive(key, now)) ticked.add(key.namespace)
    for (const [namespace, ended] of lastEnds(keys)) {
      if (ticked.has(namespace)) continue
      const isOpen = ended + this.ports.quietMs > now || (await this.newest(namespace, now)) + this.ports.quietMs > now
      if (isOpen) ticked.add(namespace)
    }
    return [...ticked]
  }

  private async newest(namespace: string, now: number): Promise<number> {
    const known = this.looks.get(namespace)
    if (known !== undefined && now - known.at < LOOK_EVERY_MS) return known.newest
    const newest = await this.ports.newestFact(namespace).then(
      (time) => time ?? -Infinity,
      () => null,
    )
    if (newest === null) return Infinity
    this.looks.set(namespace, { at: now, newest })
    return newest
  }
}

/** When the last key of each namespace ended; a key without an end is live and not listed. */
function lastEnds(keys: readonly Key[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const { namespace, expires_at, revoked_at } of keys) {
    const end = Math.min(revoked_at ?? Infinity, expires_at ?? Infinity)
    ends.set(namespace, Math.max(ends.get(namespace) ?? -Infinity, end))
  }
  return ends
}
