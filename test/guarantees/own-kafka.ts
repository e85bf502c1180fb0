import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { inject } from 'vitest'
import { fetchEngines } from '../../src/engines/fetch.ts'
import { anyFreePort } from '../../src/engines/free-port.ts'
import { kafkaEngine } from '../../src/engines/kafka.ts'
import { supervise } from '../../src/engines/supervise.ts'
import { isStateTopic } from '../../src/events/topic.ts'

export interface OwnKafka {
  readonly brokers: readonly string[]
  pid(): number
  close(): Promise<void>
}

/** A broker that a test may kill: supervised, with its data in a folder that goes away. */
export async function ownKafka(): Promise<OwnKafka> {
  const directory = mkdtempSync(join(tmpdir(), 'story-kafka-'))
  const { kafkaJars } = await fetchEngines(inject('engines').cache, () => undefined)
  const port = await anyFreePort()
  const kafka = await supervise(
    kafkaEngine({ directory, log: join(directory, 'kafka.log'), jars: kafkaJars, port }),
    () => undefined,
  )
  return {
    brokers: [`127.0.0.1:${port}`],
    pid: () => kafka.pid(),
    close: async () => {
      await kafka.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Topics as ours are made; a changelog is compacted. */
export async function createTopics(
  brokers: readonly string[],
  names: readonly string[],
  partitions = 1,
): Promise<void> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    await admin.createTopics({
      waitForLeaders: true,
      topics: names.map((topic) => ({
        topic,
        numPartitions: partitions,
        configEntries: [
          { name: 'message.timestamp.type', value: 'LogAppendTime' },
          { name: 'cleanup.policy', value: isStateTopic(topic) ? 'compact' : 'delete' },
        ],
      })),
    })
  } finally {
    await admin.disconnect()
  }
}
