import { LIFECYCLE } from '../domain/lifecycle/lifecycle.ts'
import { sealing } from '../state/settings/secrets.ts'
import type { Dependencies } from './http/dependencies.ts'
import type { Route } from './http/route.ts'
import { allRoutes } from './routes.ts'

const unasked = (): Promise<never> => Promise.reject(new Error('these routes only describe themselves'))
const unread = async function* (): AsyncGenerator<never> {
  yield await unasked()
}
const noClarity = { bias: 0, cues: {} }
const noCues = { names: [], bias: [], weights: [] }
const silent = () => undefined

/** Default requests per minute. */
export const DESCRIBED_LIMITS = { starter: 120, professional: 1_200, enterprise: 12_000 } as const

/** Stub dependencies; a caller replaces those that it needs. */
export const stubDependencies = (version: string): Dependencies => ({
  store: { query: unasked, insert: unasked, command: unasked, ping: unasked, close: unasked },
  log: { produce: unasked, ends: unasked, committed: unasked, read: unread },
  codec: { encode: unasked, decode: unasked },
  encoder: { sentences: unasked },
  reading: unasked,
  credibility: { domains: new Map(), names: new Map() },
  genres: { text: noCues, headline: noCues, wording: { scale: 0, weights: new Int8Array() } },
  summaryModel: { weigh: () => new Map(), clarity: { opening: noClarity, further: noClarity } },
  lifecycle: LIFECYCLE,
  quality: { measured_at: '', models: [], versions: {}, sets: [] },
  graph: { build: unasked, look: unasked, isBuilding: () => false },
  graphReads: 'answer',
  outbound: { check: unasked },
  webhooksPerNamespace: 1_000,
  webhookSeal: sealing('', 'described'),
  clock: { now: () => 0, sleep: unasked },
  keys: { find: () => null, notReady: () => null },
  limits: DESCRIBED_LIMITS,
  cacheBytes: 0,
  corsOrigins: [],
  logger: { info: silent, warn: silent, error: silent },
  version,
  jobSecret: '',
})

/** All routes with stub dependencies, for documents. */
export const describedRoutes = (version: string): readonly Route[] => allRoutes(stubDependencies(version))
