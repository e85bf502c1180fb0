import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { articlesIngested } from '../../src/events/articles.ts'
import type { Wiring } from '../../src/ports/wiring.ts'
import { askCli, type Cli } from '../../src/wiring/up/service.ts'
import { deadLettersOf, eventsOf, repeatedEvents } from '../chaos/log-content.ts'
import { OWN_NAMESPACE, type ClusterStore } from './stores.ts'

/** What a run has left in the log and in the stores. */
export interface ClusterFinalState {
  /** Distinct articles in `articles.ingested`. */
  readonly published: number
  /** By store: articles that it should hold and does not show. */
  readonly lost: Readonly<Record<string, number>>
  /** Event ids that a topic written in transactions holds more than once. */
  readonly doubled: readonly string[]
  readonly deadLetters: readonly string[]
}

/**
 * Resolves once the stores that hold the same namespaces have the same content, and it does not change any more. Returns the
 * hash of each view of each store.
 */
export async function untilEqual(cli: Cli, say: (line: string) => void): Promise<readonly unknown[]> {
  let before = ''
  const end = performance.now() + EQUAL_MS
  while (performance.now() < end) {
    const now = await askCli(cli, ['hash', '--all', '--json']).catch(() => null) // it fails if two stores differ
    if (now !== null && now === before)
      return now
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
    before = now ?? ''
    say(now === null ? 'the stores differ, or cannot be read' : 'the stores are equal')
    await sleep(QUIET_MS)
  }
  throw new Error(`the stores did not become equal within ${EQUAL_MS / 60_000} minutes`)
}

const EQUAL_MS = 600_000
const QUIET_MS = 5_000

export async function finalStateOf(wiring: Wiring, stores: readonly ClusterStore[]): Promise<ClusterFinalState> {
  const [log, codec] = [await wiring.log(), await wiring.codec()]
  const published = await eventsOf(articlesIngested.name, { log, codec })
  const ids = new Set(published.map(({ namespace, key }) => `${namespace} ${key}`))
  const lost: Record<string, number> = {}
  for (const store of stores) {
    const shown = await articlesIn(wiring, store.name)
    const held = [...ids].filter((id) => id.startsWith(`${OWN_NAMESPACE} `) === (store.namespaces !== undefined))
    lost[store.name] = held.filter((id) => !shown.has(id)).length
  }
  const { doubled } = await repeatedEvents({ log, codec })
  const deadLetters = await deadLettersOf(wiring.config.kafka, log)
  return { published: ids.size, lost, doubled, deadLetters }
}

async function articlesIn(wiring: Wiring, name: string): Promise<ReadonlySet<string>> {
  const store = await wiring.openStore(name)
  const rows = await store.query({
    name: 'cluster.articles',
    sql: "SELECT DISTINCT concat(namespace, ' ', article_id) AS id FROM articles",
    params: {},
    parse: (row) => z.object({ id: z.string() }).parse(row),
  })
  return new Set(rows.map(({ id }) => id))
}
