import { readFileSync } from 'node:fs'
import pMap from 'p-map'
import { hostOf } from '../../domain/feeds/documents.ts'
import { feedUrlProblem } from '../../domain/feeds/new-feed.ts'
import type { NoFeed } from '../../ports/feed-finder.ts'
import type { GetDocument } from '../../ports/http.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { decoded } from '../../sources/feeds/document-text.ts'
import { parseOpml } from '../../sources/feeds/parse-opml.ts'
import { HostPace } from '../../sources/watch/host-pace.ts'
import { countedProgress } from '../progress.ts'
import { outletGet } from './feed-finder.ts'

/** Addresses of feeds or sites that a command names. */
export interface NamedFeedsOptions {
  /** Path of an OPML file. */
  readonly opml?: string
}

/** The addresses, each once. Throws if there is none, or if the list cannot be read. */
export function namedFeeds(urls: readonly string[], { opml }: NamedFeedsOptions): readonly string[] {
  const named = [...new Set([...urls, ...(opml === undefined ? [] : listedIn(opml))])]
  if (named.length === 0) throw new Error('Name feeds or sites by their addresses, or a list with --opml FILE')
  return named
}

function listedIn(path: string): readonly string[] {
  const listed = parseOpml(decoded(readFileSync(path), undefined))
  if (listed === null) throw new Error(`--opml ${path}: not an OPML file`)
  return listed
}

/** A named address and what was found there. */
export interface LookedAt<Found> {
  readonly address: string
  readonly found: Found | NoFeed
}

const AT_ONCE = 8

/**
 * Reads the feed at each address, or finds that of the site: eight addresses at a time, one request at a time to a host,
 * as far apart as the connector's.
 */
export async function lookAtAll<Found>(
  wiring: Wiring,
  addresses: readonly string[],
  look: (address: string, get: GetDocument) => Promise<Found | NoFeed>,
): Promise<readonly LookedAt<Found>[]> {
  const get = paced(outletGet(wiring.config.feeds), new HostPace(wiring.clock, wiring.config.feeds.hostDelayMs))
  const progress = countedProgress(wiring, { whole: addresses.length, of: 'feeds' })
  const looked = await pMap(
    addresses,
    async (address) => {
      const problem = feedUrlProblem(address)
      const found = problem === null ? await look(address, get) : ({ kind: 'none', error: problem } as const)
      progress.done(1)
      return { address, found }
    },
    { concurrency: AT_ONCE },
  )
  progress.end()
  return looked
}

const paced =
  (get: GetDocument, pace: HostPace): GetDocument =>
  (url, headers, signal = new AbortController().signal) =>
    pace.inTurn(hostOf(url), { signal }, () => get(url, headers, signal))
