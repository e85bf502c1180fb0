import type { PlatformPolled } from '../../events/discourse.ts'

interface Polled {
  /** Of the newest look that went well. */
  lookedAt: number | null
  cursor: string | null
  cursorAt: number
}

/** How one connector's looks went: a fold over `discourse.polled`. */
export class Polls {
  private readonly stories = new Map<string, Polled>()
  private readonly newest = new Map<string, Pick<PlatformPolled, 'outcome' | 'detail'>>()

  add({ namespace, cluster_id, polled_at, outcome, detail, cursor }: PlatformPolled): void {
    this.newest.set(namespace, { outcome, detail: outcome === 'ok' ? null : detail })
    const key = keyOf(namespace, cluster_id)
    const polled = this.stories.get(key) ?? { lookedAt: null, cursor: null, cursorAt: 0 }
    if (outcome === 'ok') polled.lookedAt = Math.max(polled.lookedAt ?? 0, polled_at)
    if (cursor !== null && polled_at >= polled.cursorAt) {
      polled.cursor = cursor
      polled.cursorAt = polled_at
    }
    this.stories.set(key, polled)
  }

  /** When a story was last looked for with success, milliseconds since 1970; null: never. */
  lookedAt(namespace: string, clusterId: string): number | null {
    return this.stories.get(keyOf(namespace, clusterId))?.lookedAt ?? null
  }

  /** How the newest look of a namespace went; of none yet: well. */
  outcome(namespace: string): Pick<PlatformPolled, 'outcome' | 'detail'> {
    return this.newest.get(namespace) ?? { outcome: 'ok', detail: null }
  }

  /** Where looking for a story goes on; of no story: where the platform's stream does. */
  cursor(namespace: string, clusterId: string | null): string | null {
    return this.stories.get(keyOf(namespace, clusterId))?.cursor ?? null
  }
}

const keyOf = (namespace: string, clusterId: string | null): string => `${namespace}\n${clusterId ?? ''}`
