import { quickFiles } from './stages.ts'
import { fetchHttp, isSafeAddress } from '../adapters/http.ts'
import { clusteringModel } from '../adapters/model-files.ts'
import { openSocket } from '../adapters/socket.ts'
import type { Config } from '../config/config.ts'
import { PLATFORM_CADENCE_MS, PLATFORMS, type Platform } from '../events/discourse.ts'
import { placeNamed } from '../language/places/places.ts'
import type { Clock } from '../ports/clock.ts'
import { Budget } from '../sources/connectors/budget.ts'
import type { OpenPlatform, SharedPorts, StreamPorts } from '../sources/connectors/platform.ts'
import { PLATFORM_CONNECTORS } from '../sources/connectors/platforms.ts'
import { openPublishing } from '../sources/connectors/publishing.ts'
import { runConnector, type ConnectorTrouble } from '../sources/connectors/run-connector.ts'
import { targetsOf, type WordKnowledge } from '../sources/connectors/targets-of.ts'
import { tokens } from '../stages/clustered/tokens.ts'
import { echoTargets } from '../views/echo/targets.ts'
import { runForever, type StartedProcess, runUntilOneEnds } from './started-process.ts'

const PREFIX = 'connector:'

export const CONNECTORS: readonly string[] = PLATFORMS.map((platform) => `${PREFIX}${platform}`).toSorted()

/** `null` if the role is not a connector. */
export const platformOf = (role: string): Platform | null =>
  PLATFORMS.find((platform) => role === `${PREFIX}${platform}`) ?? null

/** Polls a platform until the process stops. Without credentials, logs that the connector is off. */
export async function startConnector(platform: Platform, started: StartedProcess): Promise<void> {
  const { wiring, running, lifecycle } = started
  const open = openPlatform(platform, wiring.config, running.clock)
  if (open === null) {
    running.logger.info(
      { platform, variables: PLATFORM_CONNECTORS[platform].variables },
      'connector is off: its credentials are not set',
    )
    return
  }
  const targets = await targetsFrom(started)
  const stop = new AbortController()
  const work = (): Promise<void> => runPlatform(open, { platform, started, targets, signal: stop.signal })
  const polling = runForever({ step: `${PREFIX}${platform}`, work, signal: stop.signal }, running)
  lifecycle.opened(`${PREFIX}${platform}`, async () => {
    stop.abort()
    await polling
  })
}

/** `null` if the credentials are not set. Throws if they would be sent unencrypted. */
function openPlatform(platform: Platform, { connectors }: Config, clock: Clock): OpenPlatform | null {
  const open = PLATFORM_CONNECTORS[platform].open(connectors, { http: fetchHttp(), clock, openSocket })
  if (open === null) return null
  checkAddresses(open)
  return open
}

/** Throws for an unsafe address, also of the stream: a configured stream must not be skipped silently. */
function checkAddresses({ addresses, stream }: OpenPlatform): void {
  for (const [variable, url] of Object.entries(addresses)) {
    if (!isSafeAddress(url)) throw new Error(`${variable} must be an https URL or a URL of this machine`)
  }
  if (stream !== null && !isSafeAddress(stream.url.replace(/^ws/, 'http')))
    throw new Error(`${stream.variable} must be a wss URL or a URL of this machine`)
}

/**
 * Candidates per target: more are queried than needed, because the view's ranking differs from that of the connector.
 */
const CANDIDATES = 4

async function targetsFrom({ wiring, running }: StartedProcess): Promise<SharedPorts['targets']> {
  const store = await wiring.store()
  const words = wordKnowledge()
  const limit = wiring.config.connectors.stories
  return async (namespace) => {
    const now = running.clock.now()
    const facts = await echoTargets(store, { namespace, as_of: now, limit: Math.min(limit * CANDIDATES, 1_000) })
    return targetsOf(facts, { namespace, now, limit, words })
  }
}

/** Weights words by rarity, as clustering does; stop words have no stem and weight 0. */
function wordKnowledge(): WordKnowledge {
  const { documents, counts } = clusteringModel().idf.words
  const { places } = quickFiles()
  return {
    weightOf: (word) => {
      const [stem] = tokens(word)
      return stem === undefined ? 0 : Math.log((documents + 1) / ((counts.get(stem) ?? 0) + 1))
    },
    isCountry: (name) => placeNamed(places, name)?.kind === 'country',
  }
}

interface ConnectorRun {
  readonly platform: Platform
  readonly started: StartedProcess
  readonly targets: SharedPorts['targets']
  readonly signal: AbortSignal
}

/** Runs the connector. Each start restores from the log what was already published. */
async function runPlatform(
  { budget: rule, source, stream }: OpenPlatform,
  { platform, started, targets, signal }: ConnectorRun,
): Promise<void> {
  const { wiring, running } = started
  const { log, codec, clock, logger } = running
  const { namespaces } = wiring.config.connectors
  const budget = new Budget({ ...rule, cadenceMs: PLATFORM_CADENCE_MS[platform] })
  const connector = source(budget)
  const onLogAway = (err: unknown): void => logger.warn({ platform, err }, 'Kafka is not reachable')
  const publishing = await openPublishing({ log, codec, clock, platform, budget, onLogAway })
  const shared = { publishing, clock, namespaces, targets }
  const poll = (until: AbortSignal): Promise<void> =>
    runConnector(
      {
        ...{ ...shared, source: connector, budget },
        onTrouble: (details) => report(platform, details, running),
        onRound: (counts) => logger.info({ platform, ...counts }, 'platform polled'),
      },
      until,
    )
  const streamPorts: StreamPorts = {
    ...shared,
    onMinute: (counts) => wiring.logger.debug({ platform, ...counts }, 'platform stream read'),
    onTrouble: (err) => logger.warn({ platform, err }, 'stream ended'),
  }
  await runUntilOneEnds(signal, stream === null ? [poll] : [poll, (until) => stream.listen(streamPorts, until)])
}

/** Rejected credentials, which need an operator, are logged as errors; transient problems as warnings. */
function report(
  platform: Platform,
  { trouble, ...details }: ConnectorTrouble,
  { logger }: StartedProcess['running'],
): void {
  const about = { platform, ...details, detail: trouble.detail, err: trouble.cause }
  if (details.outcome === 'refused')
    logger.error({ ...about, variables: PLATFORM_CONNECTORS[platform].variables }, 'platform rejects the credentials')
  else
    logger.warn(about, details.outcome === 'limited' ? 'rate limit or budget exhausted' : 'platform is not reachable')
}
