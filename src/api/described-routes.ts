import { LIFECYCLE } from '../domain/lifecycle/lifecycle.ts'
import { channelLinks } from '../state/settings/channel-links.ts'
import { sealing } from '../state/settings/secrets.ts'
import type { Dependencies } from './http/dependencies.ts'
import type { Route } from './http/route.ts'
import { allRoutes } from './routes.ts'

const notCalled = (): Promise<never> => Promise.reject(new Error('routes for documents have no dependencies'))
const notRead = async function* (): AsyncGenerator<never> {
  yield await notCalled()
}
const noClarity = { bias: 0, cues: {} }
const noCues = { names: [], bias: [], weights: [] }
const silent = () => undefined

/** Default requests per minute. */
export const DESCRIBED_LIMITS = { starter: 120, professional: 1_200, enterprise: 12_000 } as const

/** Stub dependencies; a caller replaces those that it needs. */
export const stubDependencies = (version: string): Dependencies => ({
  store: { query: notCalled, insert: notCalled, command: notCalled, ping: notCalled, close: notCalled },
  log: { produce: notCalled, ends: notCalled, committed: notCalled, read: notRead, partitionOf: () => 0 },
  codec: { encode: notCalled, decode: notCalled },
  encoder: { sentences: notCalled },
  crossEncoder: null,
  reading: notCalled,
  credibility: { domains: new Map(), names: new Map() },
  genres: { text: noCues, headline: noCues, wording: { scale: 0, weights: new Int8Array() } },
  summaryModel: { weigh: () => new Map(), clarity: { opening: noClarity, further: noClarity } },
  lifecycle: LIFECYCLE,
  quality: { measured_at: '', models: [], versions: {}, sets: [] },
  graph: { build: notCalled, preview: notCalled, isBuilding: () => false },
  graphReads: 'answer',
  outbound: { check: notCalled },
  webhooksPerNamespace: 1_000,
  monitorsPerNamespace: 10_000,
  feedFinder: { find: notCalled, test: notCalled },
  feedsPerNamespace: 2_000,
  webhookSeal: sealing('', 'described'),
  monitorSeal: sealing('', 'described'),
  channelLinks: channelLinks(''),
  publicUrl: 'http://127.0.0.1:8080',
  sendsEmail: true,
  clock: { now: () => 0, sleep: notCalled },
  keys: { find: () => null, notReady: () => null },
  limits: DESCRIBED_LIMITS,
  cacheBytes: 0,
  corsOrigins: [],
  logger: { info: silent, warn: silent, error: silent },
  version,
  jobSecret: '',
})

/** All routes with stub dependencies, for documents. */
export const describedRoutes = (version: string): readonly Route[] => allRoutes(stubDependencies(version), notCalled)
