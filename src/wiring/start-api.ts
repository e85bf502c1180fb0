import { followKeys } from '../api/http/keys/keyring.ts'
import { serveApi } from '../api/app.ts'
import { channelLinks } from '../state/settings/channel-links.ts'
import { sealing } from '../state/settings/secrets.ts'
import { readCredibility, readGenreModel } from '../adapters/model-files.ts'
import { outbound } from '../adapters/outbound.ts'
import { pendingMigrations } from '../views/migrate.ts'
import { feedFinder, outletGet } from '../operations/feeds/feed-finder.ts'
import { readers } from '../operations/lag/lag.ts'
import type { LagReader } from '../operations/lag/lags.ts'
import { MAIN_STORE } from '../domain/stores.ts'
import { viewGroupOf } from '../ports/log.ts'
import { publishedQuality } from './published-quality.ts'
import { readingOf } from './stages.ts'
import { summaryModel } from './summary-model.ts'
import { version } from '../config/version.ts'
import type { CrossEncoder } from '../ports/cross-encoder.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { StartedProcess } from './started-process.ts'

/** Starts the HTTP API in this process. */
export async function startApi({ wiring, running, lifecycle, graph }: StartedProcess): Promise<void> {
  const { config } = wiring
  const { codec, clock } = running
  const log = await wiring.viewedLog()
  const keys = followKeys({ log: running.log, codec, clock, logger: wiring.logger })
  lifecycle.opened('keys', () => keys.stop())
  const store = await wiring.store()
  const served = await serveApi(
    {
      log,
      codec,
      clock,
      keys,
      store,
      encoder: await wiring.encoder(),
      crossEncoder: config.languages === 'en' ? null : () => openCrossEncoder(wiring),
      reading: () => readingOf(wiring),
      credibility: readCredibility(config.quality.credibilityFile),
      genres: readGenreModel(),
      summaryModel: summaryModel(),
      quality: publishedQuality(),
      lifecycle: config.lifecycle,
      graph,
      graphReads: config.graph.readsDuringBuild,
      outbound: outbound({ clock, allowLoopback: config.webhooks.allowLoopback }),
      webhooksPerNamespace: config.webhooks.perNamespace,
      feedFinder: feedFinder(outletGet(config.feeds), clock),
      feedsPerNamespace: config.feeds.perNamespace,
      webhookSeal: sealing(secretsKey(config.secretsKey), 'webhooks'),
      ...monitorParts(config),
      readers: readers(config.stores).map(addressed(config)),
      limits: config.requestsPerMinute,
      cacheBytes: config.http.cacheBytes,
      bodyLimits: config.http.bodyLimits,
      bodyReport: {
        waiting: (requests) => running.metrics.set('story_bodies_waiting', {}, requests),
        refused: (reason) => running.metrics.count('story_bodies_refused_total', { reason }),
      },
      isMigrated: () => someMigrated(wiring),
      corsOrigins: config.corsOrigins,
      onSlowReader: () => running.metrics.count('story_slow_readers_total', {}),
      logger: wiring.logger,
      version,
      sampleAt: config.sampleAt,
      jobSecret: secretsKey(config.secretsKey),
    },
    config.http,
  )
  lifecycle.opened('api', () => served.stop())
}

/** Of several stores, one that is named `main` has the groups of views that `ViewedLog` answers for all stores. */
const addressed =
  ({ stores }: Wiring['config']) =>
  (reader: LagReader): LagReader => {
    const [, view] = /^view:([^@]+)$/.exec(reader.group) ?? []
    return view === undefined || stores.length === 1 ? reader : { ...reader, group: viewGroupOf(view, MAIN_STORE) }
  }

/** Whether a store has all migrations. The views of one that has not do not catch up, so it is not read. */
async function someMigrated({ config, ...wiring }: Wiring): Promise<boolean> {
  const migrated = async (name: string): Promise<void> => {
    const pending = await pendingMigrations(await wiring.openStore(name))
    if (pending.length > 0) throw new Error(`${name} lacks ${pending.join(', ')}`)
  }
  return Promise.any(config.stores.map(({ name }) => migrated(name))).then(
    () => true,
    () => false,
  )
}

const monitorParts = ({ secretsKey: key, http, mail, monitors }: Wiring['config']) => ({
  monitorsPerNamespace: monitors.perNamespace,
  monitorSeal: sealing(secretsKey(key), 'monitors'),
  channelLinks: channelLinks(secretsKey(key)),
  publicUrl: http.publicUrl,
  sendsEmail: mail !== null,
})

/** Signs job ids and links, and encrypts secrets of webhooks and channels, so every instance needs the same key. */
function secretsKey(set: string | undefined): string {
  if (set !== undefined) return set
  throw new Error('SECRETS_KEY is not set. Set the same value of 32 characters or more for every API instance')
}

async function openCrossEncoder(wiring: Wiring): Promise<CrossEncoder> {
  const encoder = await wiring.crossEncoder()
  if (encoder === null) throw new Error('The encoder of all languages is turned off')
  return encoder
}
