import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ClusterClient } from './client.ts'

const FeedPage = z.object({
  changes: z.array(z.object({ id: z.string() })),
  next_cursor: z.string(),
  has_more: z.boolean(),
})

const EVERY_MS = 1_000
const TIMEOUT_MS = 10_000

/** Follows the change feed of a key's namespace by its cursor, as a client does: a page that fails is read again. */
export class FeedFollower {
  /** Ids of changes in the order in which they came. */
  readonly received: string[] = []
  /** Of pages read while the client followed the feed. */
  readonly pages = { read: 0, failed: 0 }
  private readonly client: ClusterClient
  private cursor: string | null = null

  constructor(client: ClusterClient) {
    this.client = client
  }

  get namespace(): string {
    return this.client.namespace
  }

  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.readPage().then(
        () => this.pages.read++,
        () => this.pages.failed++,
      )
      await sleep(EVERY_MS)
    }
  }

  /** Reads what is left. Throws if a page fails. */
  async finish(): Promise<void> {
    while (await this.readPage());
  }

  /** Whether there is more. */
  private async readPage(): Promise<boolean> {
    const { url, key } = this.client
    const from = this.cursor === null ? '' : `&cursor=${encodeURIComponent(this.cursor)}`
    const response = await fetch(`${url}/v1/changes?limit=1000${from}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`the feed answered ${response.status}: ${text.slice(0, 200)}`)
    const { changes, next_cursor, has_more } = FeedPage.parse(JSON.parse(text))
    this.received.push(...changes.map(({ id }) => id))
    this.cursor = next_cursor
    return has_more
  }
}
