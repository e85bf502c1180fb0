import { Kafka, logLevel } from 'kafkajs'
import { pino } from 'pino'
import { inject } from 'vitest'
import { systemClock } from '../../../src/adapters/clock.ts'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { KafkaLog } from '../../../src/adapters/kafka/kafka-log.ts'
import { stubDependencies } from '../../../src/api/described-routes.ts'
import type { Caller } from '../../../src/api/http/keys/caller.ts'
import { serveApi } from '../../../src/api/app.ts'
import type { ServedApi } from '../../../src/api/http/serve.ts'
import { changesPublished, type ChangePublished } from '../../../src/events/changes.ts'
import { onlyStore, runView } from '../../../src/runtime/run-view.ts'
import { changes } from '../../../src/views/row-per-event.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { aCodec } from '../../builders/api.ts'
import { aRunning } from '../../builders/running.ts'

export interface FeedHome {
  /** Another instance of the API; the key is the name of the namespace. */
  api(): Promise<ServedApi>
  /** Writes them in one transaction, like the stage. Resolves when committed. */
  publish(events: readonly ChangePublished[]): Promise<void>
  stop(): Promise<void>
}

/** Kafka, ClickHouse and the view's process; other tests share the feed's topic. */
export async function feedHome(): Promise<FeedHome> {
  const { brokers, clickhouse } = inject('engines')
  await makeTopic(brokers)
  const log = new KafkaLog({ brokers, clientId: 'changes-test' })
  const store = clickhouseStore({ ...clickhouse, database: 'changes_test' })
  await migrate(store, { replicated: false })
  const codec = aCodec()
  const view = await runView(changes, { ...aRunning({ log, clock: systemClock }), codec }, onlyStore(store))
  const writer = await log.writer('changes-test')
  const find = (namespace: string): Caller => ({
    ...{ key_id: namespace, tier: 'enterprise', namespace, scopes: ['read', 'write'], owner: namespace },
  })
  return {
    api: () =>
      serveApi(
        {
          ...stubDependencies('0.0.0'),
          ...{ log, store, codec, clock: systemClock, keys: { find, notReady: () => null } },
          logger: pino({ level: 'silent' }),
        },
        { host: '127.0.0.1', port: 0 },
      ),
    publish: async (events) => {
      const records = events.map(async (event) => ({
        ...{ topic: changesPublished.name, key: changesPublished.key(event), partition: 0 },
        value: await codec.encode(changesPublished, event),
      }))
      await writer.write(await Promise.all(records), { group: 'changes-test', next: [] })
    },
    stop: async () => {
      await view.stop()
      await writer.close()
      await log.close()
      await store.close()
    },
  }
}

async function makeTopic(brokers: readonly string[]): Promise<void> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: changesPublished.name, numPartitions: 1 }], waitForLeaders: true })
  await admin.disconnect()
}
