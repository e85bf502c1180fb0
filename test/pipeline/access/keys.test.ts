import { Kafka, logLevel } from 'kafkajs'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { systemClock } from '../../../src/adapters/clock.ts'
import { KafkaLog } from '../../../src/adapters/kafka/kafka-log.ts'
import { stubDependencies } from '../../../src/api/described-routes.ts'
import { createKey, publishKey } from '../../../src/operations/keys/create-key.ts'
import { followKeys, type FollowingKeyring } from '../../../src/api/http/keys/keyring.ts'
import { rotateKey } from '../../../src/operations/keys/rotate.ts'
import { serveApi } from '../../../src/api/app.ts'
import type { ServedApi } from '../../../src/api/http/serve.ts'
import { keysChanged } from '../../../src/events/settings.ts'
import { aCodec } from '../../builders/api.ts'

const { brokers } = inject('engines')
const codec = aCodec()
const logger = pino({ level: 'silent' })
const logs: KafkaLog[] = []
const served: { readonly api: ServedApi; readonly keys: FollowingKeyring }[] = []

/** An instance with its own connection, like another process. */
async function anInstance(): Promise<void> {
  const log = new KafkaLog({ brokers, clientId: 'keys-test' })
  logs.push(log)
  const keys = followKeys({ log, codec, clock: systemClock, logger })
  const dependencies = { ...stubDependencies('0.0.0'), log, codec, clock: systemClock, keys, logger }
  served.push({ api: await serveApi(dependencies, { host: '127.0.0.1', port: 0 }), keys })
}

beforeAll(async () => {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: keysChanged.name, numPartitions: 1 }], waitForLeaders: true })
  await admin.disconnect()
  await anInstance()
  await anInstance()
})
afterAll(async () => {
  for (const { api, keys } of served) await Promise.all([api.stop(), keys.stop()])
  for (const log of logs) await log.close()
})

/** The status each instance returns for a key: 404 if it is valid, since the path is unknown. */
const statuses = (key: string): Promise<readonly number[]> =>
  Promise.all(
    served.map(async ({ api }) => {
      const response = await fetch(`${api.url}/v1/nothing`, { headers: { authorization: `Bearer ${key}` } })
      await response.arrayBuffer()
      return response.status
    }),
  )

const within = (ms: number, key: string, status: number): Promise<void> =>
  vi.waitFor(async () => expect(await statuses(key)).toEqual([status, status]), { timeout: ms, interval: 50 })

it('creation, rotation and revocation of a key take effect on every instance within five seconds', async () => {
  const [log] = logs
  if (log === undefined) throw new Error('no log')
  const wish = {
    tier: 'starter',
    privateNamespace: 'acme',
    scopes: ['read', 'write'],
    name: '',
    expires_at: null,
  } as const
  const { key, event } = createKey(wish, systemClock.now())
  expect(await statuses(key)).toEqual(expect.not.arrayContaining([404]))

  await publishKey(event, { log, codec })
  await within(5_000, key, 404)

  const rotation = rotateKey(event, { now: systemClock.now(), overlapMs: 60_000 })
  await publishKey(rotation.next, { log, codec })
  await publishKey(rotation.old, { log, codec })
  await within(5_000, rotation.key, 404)
  expect(await statuses(key)).toEqual([404, 404]) // both are valid during the overlap

  await publishKey({ ...rotation.old, revoked_at: systemClock.now() }, { log, codec })
  await within(5_000, key, 401)
  expect(await statuses(rotation.key)).toEqual([404, 404])
})
