import { randomUUID } from 'node:crypto'
import { expect, inject, it } from 'vitest'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../src/adapters/registry/codec.ts'
import { benchKilled } from '../../src/bench/webhooks/webhooks.ts'
import { registerOurSchemas, applyTopics } from '../../src/operations/topics.ts'

const KILLS = { kills: 3, everySeconds: 12 }

it('every change reaches every receiver that fails three times in ten, under one id, though the dispatcher is killed', async () => {
  const { brokers, registryUrl } = inject('engines')
  await applyTopics({ kafka: { brokers }, topics: { partitions: 'one' } })
  await registerOurSchemas({ kafka: { brokers }, registry: { url: registryUrl } })
  const log = new KafkaLog({ brokers, clientId: 'webhooks-killed' })
  const codec = new RegistryCodec({ url: registryUrl })
  const world = { log, codec, secretsKey: randomUUID(), namespace: `killed-${Date.now()}` }
  const environment = {
    KAFKA_BROKERS: brokers.join(','),
    REGISTRY_URL: registryUrl,
    SECRETS_KEY: world.secretsKey,
    WEBHOOKS_ALLOW_LOOPBACK: '1',
    WEBHOOKS_RETRY_SECONDS: ['0', ...Array.from({ length: 19 }, () => '1')].join(','),
    LOG_LEVEL: 'error',
  }

  const { kills, deliveries, missing, recorded, wrong_ids } = await benchKilled(
    { world, environment, perSecond: 10 },
    KILLS,
  )

  expect({ kills, missing, wrong_ids }).toEqual({ kills: KILLS.kills, missing: 0, wrong_ids: 0 })
  expect(recorded).toBe(deliveries)
  await log.close()
}, 900_000)
