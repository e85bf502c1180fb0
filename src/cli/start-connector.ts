import { fetchHttp, isSafeAddress } from '../adapters/http.ts'
import { clusteringModel } from '../adapters/model-files.ts'
import { openSocket } from '../adapters/socket.ts'
import type { Config } from '../config.ts'
import type { Platform } from '../events/discourse.ts'
import { PLATFORM_CADENCE_MS } from '../domain/platforms/status.ts'
import { PLATFORMS } from '../domain/intake/posts.ts'
import { placeNamed } from '../language/places/places.ts'
import type { Clock } from '../ports/clock.ts'
import { blueskySource } from '../sources/connectors/bluesky/source.ts'
import { JETSTREAM_PROTOCOL, runStream } from '../sources/connectors/bluesky/stream.ts'
import { Budget, NO_BUDGET, type BudgetRule } from '../sources/connectors/budget.ts'
import type { PlatformSource } from '../sources/connectors/platform.ts'
import { openPublishing } from '../sources/connectors/publishing.ts'
import { redditSource } from '../sources/connectors/reddit/source.ts'
import { runConnector, type ConnectorTrouble } from '../sources/connectors/run-connector.ts'
import type { StoryTarget } from '../sources/connectors/targets.ts'
import { targetsOf, type WordKnowledge } from '../sources/connectors/targets-of.ts'
import { LEAST_POSTS, twitterSource } from '../sources/connectors/twitter/source.ts'
import { tokens } from '../stages/clustered/tokens.ts'
import { echoTargets } from '../views/echo/targets.ts'
import { forEver } from './for-ever.ts'
import type { StartedProcess } from './started-process.ts'
import { together } from './together.ts'

const PREFIX = 'connector:'

export const CONNECTORS: readonly string[] = PLATFORMS.map((platform) => `${PREFIX}${platform}`)

/** Null: the role is no connector's. */
export const platformOf = (role: string): Platform | null =>
  PLATFORMS.find((platform) => role === `${PREFIX}${platform}`) ?? null

/** What must be set for a platform to be asked. */
const VARIABLES: Readonly<Record<Platform, readonly string[]>> = {
  reddit: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET', 'REDDIT_USER_AGENT'],
  bluesky: ['BLUESKY_IDENTIFIER', 'BLUESKY_APP_PASSWORD'],
  twitter: ['TWITTER_BEARER_TOKEN'],
}

/** Looks at a platform while the process lives; without its credentials it is off and says so. */
export async function startConnector(platform: Platform, started: StartedProcess): Promise<void> {
  const { wiring, running, lifecycle } = started
  const open = opened(platform, wiring.config, running.clock)
  if (open === null) {
    running.logger.info({ platform, variables: VARIABLES[platform] }, 'connector is off: its credentials are not set')
    return
  }
  const targets = await targetsFrom(started)
  const stop = new AbortController()
  const work = (): Promise<void> => look(open, { started, targets, signal: stop.signal })
  const looking = forEver({ step: `${PREFIX}${platform}`, work, signal: stop.signal }, running)
  lifecycle.opened(`${PREFIX}${platform}`, async () => {
    stop.abort()
    await looking
  })
}

interface OpenedConnector {
  readonly rule: BudgetRule
  readonly source: (budget: Budget) => PlatformSource
  /** Null: the platform has no stream, or none is asked for. */
  readonly stream: string | null
}

/** Null: its credentials are not set. Throws where they would travel in the clear. */
function opened(platform: Platform, { connectors }: Config, clock: Clock): OpenedConnector | null {
  const http = fetchHttp()
  const rule = { ...NO_BUDGET, cadenceMs: PLATFORM_CADENCE_MS[platform] }
  const { reddit, bluesky, twitter } = connectors
  if (platform === 'reddit') {
    if (reddit === null) return null
    insistOnSafe({ REDDIT_AUTH_URL: reddit.authUrl, REDDIT_API_URL: reddit.apiUrl })
    return { rule, source: () => redditSource({ ...reddit, http, clock }), stream: null }
  }
  if (platform === 'bluesky') {
    if (bluesky === null) return null
    insistOnSafe({ BLUESKY_URL: bluesky.url })
    insistOnSafeStream(bluesky.jetstreamUrl)
    return { rule, source: () => blueskySource({ access: bluesky, http, clock }), stream: bluesky.jetstreamUrl }
  }
  if (twitter === null) return null
  insistOnSafe({ TWITTER_API_URL: twitter.url })
  return {
    rule: { ...rule, postsPerMonth: twitter.postsPerMonth, least: LEAST_POSTS },
    source: (budget) => twitterSource({ ...twitter, http, clock }, budget),
    stream: null,
  }
}

function insistOnSafe(urls: Readonly<Record<string, string>>): void {
  for (const [variable, url] of Object.entries(urls)) {
    if (!isSafeAddress(url)) throw new Error(`${variable} must be an https address, or one of this machine`)
  }
}

/** As sockets are opened: who has asked for a stream must not go without it unawares. */
function insistOnSafeStream(url: string | null): void {
  if (url === null || isSafeAddress(url.replace(/^ws/, 'http'))) return
  throw new Error('BLUESKY_JETSTREAM_URL must be a wss address, or one of this machine')
}

type Targets = (namespace: string) => Promise<readonly StoryTarget[]>

/** The best stories are chosen among more than are looked for: a view's order is not quite ours. */
const CHOSEN_AMONG = 4

async function targetsFrom({ wiring, running }: StartedProcess): Promise<Targets> {
  const store = await wiring.store()
  const words = wordKnowledge(wiring)
  const limit = wiring.config.connectors.stories
  return async (namespace) => {
    const now = running.clock.now()
    const facts = await echoTargets(store, { namespace, as_of: now, limit: Math.min(limit * CHOSEN_AMONG, 1_000) })
    return targetsOf(facts, { namespace, now, limit, words })
  }
}

/** Rare words distinguish more, as stories are compared by them; stop words have no stem. */
function wordKnowledge(wiring: StartedProcess['wiring']): WordKnowledge {
  const { documents, counts } = clusteringModel().idf.words
  const { places } = wiring.quickFiles()
  return {
    weightOf: (word) => {
      const [stem] = tokens(word)
      return stem === undefined ? 0 : Math.log((documents + 1) / ((counts.get(stem) ?? 0) + 1))
    },
    isCountry: (name) => placeNamed(places, name)?.kind === 'country',
  }
}

interface ConnectorLookup {
  readonly started: StartedProcess
  readonly targets: Targets
  readonly signal: AbortSignal
}

/** What was reported before is read again each time this begins. */
async function look(
  { rule, source, stream }: OpenedConnector,
  { started, targets, signal }: ConnectorLookup,
): Promise<void> {
  const { wiring, running } = started
  const { log, codec, clock, logger } = running
  const { namespaces } = wiring.config.connectors
  const budget = new Budget(rule)
  const connector = source(budget)
  const { platform } = connector
  const onLogAway = (err: unknown): void => logger.warn({ platform, err }, 'the log is away')
  const publishing = await openPublishing({ log, codec, clock, platform, budget, onLogAway })
  const shared = { publishing, clock, namespaces, targets }
  const rounds = (until: AbortSignal): Promise<void> =>
    runConnector(
      {
        ...{ ...shared, source: connector, budget },
        onTrouble: (details) => report(platform, details, running),
        onRound: (counts) => logger.info({ platform, ...counts }, 'platform looked at'),
      },
      until,
    )
  const listening = (url: string, until: AbortSignal): Promise<void> =>
    runStream(
      {
        ...{ ...shared, url, openSocket: openSocket({ protocols: [JETSTREAM_PROTOCOL] }) },
        onMinute: (counts) => wiring.logger.debug({ platform, ...counts }, 'platform listened to'),
        onTrouble: (err) => logger.warn({ platform, err }, 'stream ended'),
      },
      until,
    )
  await together(signal, stream === null ? [rounds] : [rounds, (until) => listening(stream, until)])
}

/** What a person must see to is an error; the rest mends itself. */
function report(
  platform: Platform,
  { trouble, ...details }: ConnectorTrouble,
  { logger }: StartedProcess['running'],
): void {
  const about = { platform, ...details, detail: trouble.detail, err: trouble.cause }
  if (details.outcome === 'refused') logger.error({ ...about, variables: VARIABLES[platform] }, 'platform refuses us')
  else logger.warn(about, details.outcome === 'limited' ? 'platform or budget is used up for now' : 'platform is away')
}
