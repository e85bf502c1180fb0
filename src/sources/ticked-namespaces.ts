import { SHARED } from '../domain/intake/articles.ts'
import type { KeyChanged } from '../events/settings.ts'
import { isLive } from '../state/settings/has-live-key.ts'

/** How often a namespace without a live key is checked for recent events. */
const CHECK_EVERY_MS = 3_600_000

type Key = Pick<KeyChanged, 'namespace' | 'expires_at' | 'revoked_at'>

export interface TickedNamespacesPorts {
  readonly keys: () => Promise<readonly Key[]>
  /** Namespaces that always get ticks: those of the connectors. */
  readonly always: readonly string[]
  /** When the newest story event of a namespace was logged, milliseconds since 1970; `null` if unknown. */
  readonly newestFact: (namespace: string) => Promise<number | null>
  /**
   * How long after its last event or key a namespace needs ticks. After that, no rule and no text retention depends on
   * time.
   */
  readonly quietMs: number
}

/**
 * Selects the namespaces that get ticks: those with a live key, and those with recent events, because their stories
 * still change and their post texts still expire. A namespace also gets ticks if this cannot be determined.
 */
export class TickedNamespaces {
  private readonly ports: TickedNamespacesPorts
  private readonly checked = new Map<string, { readonly at: number; readonly newest: number }>()

  constructor(ports: TickedNamespacesPorts) {
    this.ports = ports
  }

  async at(now: number): Promise<readonly string[]> {
    const keys = await this.ports.keys()
    const ticked = new Set([SHARED, ...this.ports.always])
    for (const key of keys) if (isLive(key, now)) ticked.add(key.namespace)
    for (const [namespace, ended] of lastEnds(keys)) {
      if (ticked.has(namespace)) continue
      const isActive =
        ended + this.ports.quietMs > now || (await this.newest(namespace, now)) + this.ports.quietMs > now
      if (isActive) ticked.add(namespace)
    }
    return [...ticked]
  }

  private async newest(namespace: string, now: number): Promise<number> {
    const known = this.checked.get(namespace)
    if (known !== undefined && now - known.at < CHECK_EVERY_MS) return known.newest
    const newest = await this.ports.newestFact(namespace).then(
      (time) => time ?? -Infinity,
      () => null,
    )
    if (newest === null) return Infinity
    this.checked.set(namespace, { at: now, newest })
    return newest
  }
}

/**
 * When the last key of each namespace expired or was revoked. Namespaces with a key that never expires are not
 * included.
 */
function lastEnds(keys: readonly Key[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const { namespace, expires_at, revoked_at } of keys) {
    const end = Math.min(revoked_at ?? Infinity, expires_at ?? Infinity)
    ends.set(namespace, Math.max(ends.get(namespace) ?? -Infinity, end))
  }
  return ends
}
