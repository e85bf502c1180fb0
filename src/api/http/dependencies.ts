import type { BaseLogger } from 'pino'
import type { LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import type { Tier } from '../../events/settings.ts'
import type { AnalysisTools } from '../../language/analysis/analyse.ts'
import type { GenreModel } from '../../language/genre/genre.ts'
import type { Credibility } from '../../language/quality/credibility.ts'
import type { SummaryModel } from '../../language/summary/summarise.ts'
import type { PublishedQuality } from '../../domain/quality/figures.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Encoder } from '../../ports/encoder.ts'
import type { Codec, Log } from '../../ports/log.ts'
import type { Outbound } from '../../ports/http.ts'
import type { Store } from '../../ports/store.ts'
import type { BuildResult, LookedAt } from '../../views/graph/build.ts'
import type { Seal } from '../../state/settings/secrets.ts'
import type { Keyring } from './keys/keyring.ts'

/** Builds of the whole story graph, at most two at once. Callers that ask for one namespace share its build. */
export interface GraphBuilds {
  build(namespace: string): Promise<BuildResult>
  /** The same without emitting anything. */
  look(namespace: string): Promise<LookedAt>
  /** Whether this process is building the graph of the namespace. */
  isBuilding(namespace: string): boolean
}

/** A consumer group of the service, as `story lag` names it, and the topics it reads. */
export interface StageReader {
  readonly name: string
  readonly group: string
  readonly topics: readonly string[]
}

/** What request bodies may take of an instance. */
export interface BodyLimits {
  /** Bytes of all bodies that are being received or worked on. */
  readonly bytes: number
  /** Bytes of one caller's. */
  readonly bytesOfOne: number
  /** A body that has not arrived this long after its reading began is refused. */
  readonly deadlineMs: number
}

/** Why a body was not received. */
export type BodyRefusal = 'deadline' | 'waited_too_long' | 'caller_queue_full' | 'queue_full'

/** What the metrics of the process learn of bodies. */
export interface BodyReport {
  readonly waiting: (requests: number) => void
  readonly refused: (reason: BodyRefusal) => void
}

/** What the API works with. Ports only: it reads views and appends to the log. */
export interface Dependencies {
  readonly store: Store
  readonly log: Pick<Log, 'produce' | 'ends' | 'committed' | 'read'>
  readonly codec: Codec
  readonly encoder: Pick<Encoder, 'sentences'>
  /** What Layer 1 reads with; loaded when first asked for. */
  readonly reading: () => Promise<AnalysisTools>
  readonly credibility: Credibility
  readonly genres: GenreModel
  /** What summaries are made with. */
  readonly summaryModel: SummaryModel
  readonly quality: PublishedQuality
  /** The numbers of the rules, the same as the stage's. */
  readonly lifecycle: LifecycleNumbers
  readonly graph: GraphBuilds
  /** What becomes of reads of the graph while it is built. */
  readonly graphReads: 'answer' | 'refuse'
  /** What addresses may be delivered to. */
  readonly outbound: Pick<Outbound, 'check'>
  /** At most this many webhook endpoints in a namespace, disabled ones included. */
  readonly webhooksPerNamespace: number
  /** Keeps the signing secrets of webhooks: the same as the dispatcher's. */
  readonly webhookSeal: Seal
  readonly clock: Clock
  readonly keys: Keyring
  /** Who reads the log, in the order of the flow; left out: nobody. */
  readonly readers?: readonly StageReader[]
  /** Requests a minute. */
  readonly limits: Readonly<Record<Tier, number>>
  /** Answers that are kept for a moment may take so many bytes; 0: none is kept. */
  readonly cacheBytes: number
  /** Pages of these may ask from a browser: `https://host[:port]`. */
  readonly corsOrigins: readonly string[]
  /** Whether the store has every migration; left out: nobody asks. */
  readonly isMigrated?: () => Promise<boolean>
  /** Aborted when the end has been announced: no new work should come here. Left out: never. */
  readonly draining?: AbortSignal
  /** Aborted when the listener stops: what would go on without end ends. Left out: never. */
  readonly stopping?: AbortSignal
  /** Called for each reader of a stream that was dropped, because it took nothing. */
  readonly onSlowReader?: () => void
  /** What request bodies may take; left out: the defaults. */
  readonly bodyLimits?: BodyLimits
  /** Left out: nothing is reported. */
  readonly bodyReport?: BodyReport
  readonly logger: Pick<BaseLogger, 'info' | 'warn' | 'error'>
  readonly version: string
  /** Signs job ids: the same in every instance, at least 16 characters. */
  readonly jobSecret: string
}
