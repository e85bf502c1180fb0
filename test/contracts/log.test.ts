import { Kafka, logLevel } from 'kafkajs'
import { inject } from 'vitest'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { logContract } from './log.ts'

logContract('kafka', async () => {
  const { brokers } = inject('engines')
  const log = new KafkaLog({ brokers, clientId: 'contract', session: { sessionTimeoutMs: 6000, heartbeatMs: 200 } })
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const started = Date.now()
  let turn = 0
  return {
    log,
    topic: async (partitions) => {
      const topic = `contract.log-${started}-${++turn}`
      await admin.createTopics({ topics: [{ topic, numPartitions: partitions }], waitForLeaders: true })
      return topic
    },
    close: async () => {
      await log.close()
      await admin.disconnect()
    },
  }
})
