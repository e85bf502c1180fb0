import { MemoryLog } from '../../adapters/memory-log.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { serveApi } from '../../api/app.ts'
import { stubDependencies } from '../../api/described-routes.ts'
import { followKeys } from '../../api/http/keys/keyring.ts'
import { createKey, publishKey } from '../../operations/keys/create-key.ts'
import type { Store } from '../../ports/store.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { summaryModel } from '../../wiring/summary-model.ts'
import { timed } from '../rounds.ts'

export interface ReadsAnswer {
  readonly status: number
  readonly ms: number
  readonly body: unknown
}

export interface ReadsApi {
  readonly get: (path: string) => Promise<ReadsAnswer>
  /** The vector of a query for articles. */
  readonly encode: (query: string) => Promise<Float32Array>
}

interface ReadsApiSetting {
  readonly store: Store
  readonly wiring: Wiring
  /** The time of the API, milliseconds since 1970: that of the generated articles, which may have been made long ago. */
  readonly now: number
}

const UNLIMITED = 1_000_000_000

/** Serves the API in this process, with the real encoders and without its response cache, and runs `use`. */
export async function withReadsApi<Result>(
  { store, wiring, now }: ReadsApiSetting,
  use: (api: ReadsApi) => Promise<Result>,
): Promise<Result> {
  const encoder = await wiring.encoder()
  const clock = { ...wiring.clock, now: () => now }
  const ports = { log: new MemoryLog(), codec: new PlainCodec(), clock, logger: wiring.logger }
  const request = {
    tier: 'enterprise',
    privateNamespace: null,
    scopes: ['read'],
    name: 'bench',
    expires_at: null,
  } as const
  const made = createKey(request, now)
  await publishKey(made.event, ports)
  const keys = followKeys(ports)
  const served = await serveApi(
    {
      ...stubDependencies('0.0.0'),
      ...ports,
      ...{ keys, store, encoder, summaryModel: summaryModel(), logger: stubDependencies('0.0.0').logger },
      limits: { starter: UNLIMITED, professional: UNLIMITED, enterprise: UNLIMITED },
      cacheBytes: 0,
    },
    { host: '127.0.0.1', port: 0 },
  )
  const get = async (path: string): Promise<ReadsAnswer> => {
    const { result, ms } = await timed(async () => {
      const response = await fetch(`${served.url}${path}`, { headers: { authorization: `Bearer ${made.key}` } })
      return { status: response.status, body: await response.json() }
    })
    return { ...result, ms }
  }
  const encode = async (query: string): Promise<Float32Array> => {
    const [vector] = await encoder.sentences([query])
    if (vector === undefined) throw new Error('the encoder gave no vector')
    return Float32Array.from(vector)
  }
  try {
    return await use({ get, encode })
  } finally {
    await served.stop()
    await keys.stop()
  }
}
