import type { BaseLogger } from 'pino'
import type { LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import type { Tier } from '../../events/settings.ts'
import type { ReadingTools } from '../../language/analysis/analyse.ts'
import type { GenreModel } from '../../language/genre/genre.ts'
import type { Credibility } from '../../language/quality/credibility.ts'
import type { SummaryModel } from '../../language/summary/summarise.ts'
import type { PublishedQuality } from '../../domain/quality/figures.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CrossEncoder } from '../../ports/cross-encoder.ts'
import type { FeedFinder } from '../../ports/feed-finder.ts'
import type { Encoder } from '../../ports/encoder.ts'
import type { Codec, Log } from '../../ports/log.ts'
import type { Outbound } from '../../ports/http.ts'
import type { Store } from '../../ports/store.ts'
import type { BuildResult, GraphPreview } from '../../views/graph/build.ts'
import type { ChannelLinks } from '../../state/settings/channel-links.ts'
import type { Seal } from '../../state/settings/secrets.ts'
import type { Keyring } from './keys/keyring.ts'

/**
 * Builds of the whole story graph, at most two at the same time. Concurrent callers for one namespace share a build.
 */
export interface GraphBuilds {
  build(namespace: string): Promise<BuildResult>
  /** Computes the build without emitting events. */
  preview(namespace: string): Promise<GraphPreview>
  /** Whether this process is building the namespace's graph. */
  isBuilding(namespace: string): boolean
}

/** A consumer group of the service, as `story lag` names it, and the topics it reads. */
export interface StageReader {
  readonly name: string
  readonly group: string
  readonly topics: readonly string[]
}

/** Limits of request bodies for one instance. */
export interface BodyLimits {
  /** Bytes of all bodies that are being received or processed. */
  readonly bytes: number
  /** Bytes of one caller's bodies. */
  readonly bytesOfOne: number
  /** Time limit for receiving a body, from the start of reading. */
  readonly deadlineMs: number
}

/** Why a body was not received. */
export type BodyRefusal = 'deadline' | 'waited_too_long' | 'caller_queue_full' | 'queue_full'

/** Receives the metrics of request bodies. */
export interface BodyReport {
  readonly waiting: (requests: number) => void
  readonly refused: (reason: BodyRefusal) => void
}

/** The dependencies of the API. They are ports only: the API reads views and appends to the log. */
export interface Dependencies {
  readonly store: Store
  readonly log: Pick<Log, 'produce' | 'ends' | 'committed' | 'read' | 'partitionOf'>
  readonly codec: Codec
  readonly encoder: Pick<Encoder, 'sentences'>
  /** The encoder of all languages, loaded on first use; `null` if only English is read. */
  readonly crossEncoder: (() => Promise<Pick<CrossEncoder, 'encode'>>) | null
  /** The models of Layer 1; loaded on first use. */
  readonly reading: () => Promise<ReadingTools>
  readonly credibility: Credibility
  readonly genres: GenreModel
  /** The model that generates summaries. */
  readonly summaryModel: SummaryModel
  readonly quality: PublishedQuality
  /** The thresholds of the lifecycle rules; must be the same as the stage's. */
  readonly lifecycle: LifecycleNumbers
  readonly graph: GraphBuilds
  /** Whether reads of the graph are served or refused while the graph is being built. */
  readonly graphReads: 'answer' | 'refuse'
  /** Checks whether deliveries to a URL are allowed. */
  readonly outbound: Pick<Outbound, 'check'>
  /** Maximum number of webhook endpoints in a namespace, including disabled ones. */
  readonly webhooksPerNamespace: number
  /** Maximum number of monitors in a namespace. */
  readonly monitorsPerNamespace: number
  /** Reads feeds that callers name. */
  readonly feedFinder: FeedFinder
  /** Maximum number of watched feeds in a namespace. */
  readonly feedsPerNamespace: number
  /** Encrypts the signing secrets of webhooks; must use the same key as the dispatcher. */
  readonly webhookSeal: Seal
  /** Encrypts the targets of monitors' channels; must use the same key as the dispatcher. */
  readonly monitorSeal: Seal
  /** Signs the links in e-mails to channels; must use the same key as the dispatcher. */
  readonly channelLinks: ChannelLinks
  /** The address of the API as its clients know it, without a slash at the end. */
  readonly publicUrl: string
  /** Whether the dispatcher can send e-mails. */
  readonly sendsEmail: boolean
  readonly clock: Clock
  readonly keys: Keyring
  /** The consumer groups of the service, in the order of the pipeline. Default: none. */
  readonly readers?: readonly StageReader[]
  /** Requests per minute, by tier. */
  readonly limits: Readonly<Record<Tier, number>>
  /** Size of the response cache in bytes; 0 disables it. */
  readonly cacheBytes: number
  /** Origins that are allowed by CORS: `https://host[:port]`. */
  readonly corsOrigins: readonly string[]
  /** Whether every migration of the store has been applied. Default: not checked. */
  readonly isMigrated?: () => Promise<boolean>
  /** Aborted when shutdown begins: the instance should receive no new work. Default: never. */
  readonly draining?: AbortSignal
  /** Aborted when the listener stops: ends streams and long polls. Default: never. */
  readonly stopping?: AbortSignal
  /** Called for each stream that was closed because its client was too slow. */
  readonly onSlowReader?: () => void
  /** Default: `BODY_LIMITS`. */
  readonly bodyLimits?: BodyLimits
  /** Default: nothing is reported. */
  readonly bodyReport?: BodyReport
  readonly logger: Pick<BaseLogger, 'info' | 'warn' | 'error'>
  readonly version: string
  /** The time that the dates of the imported sample are relative to (ISO 8601). Default: there is no sample. */
  readonly sampleAt?: string | null
  /** Signs job ids. Must be the same in every instance and have at least 16 characters. */
  readonly jobSecret: string
}
