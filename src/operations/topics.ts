import { topicAdmin } from '../adapters/kafka/admin.ts'
import { projectPath } from '../config/project-path.ts'
import { planTopics, readTopicFiles, type TopicChange, topicSpecs } from '../config/topics.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { KafkaAccess } from '../adapters/kafka/client.ts'
import { KafkaLog } from '../adapters/kafka/kafka-log.ts'
import { type RegistryAccess, type Registered, registerSchemas } from '../adapters/registry/register.ts'
import { readSchemas, type TopicSchema } from '../config/schemas.ts'

/** The configuration that topics depend on. */
type TopicsOf = Pick<Wiring['config'], 'kafka' | 'topics'>

/** The changes that `applyTopics` would make. */
export const plannedTopics = (config: TopicsOf): Promise<readonly TopicChange[]> => changeTopics(config, false)

/**
 * Creates and configures the topics in `topics/*.yaml`; returns the changes. Throws before any change if there is a
 * conflict.
 */
export const applyTopics = (config: TopicsOf): Promise<readonly TopicChange[]> => changeTopics(config, true)

async function changeTopics({ kafka, topics }: TopicsOf, apply: boolean): Promise<readonly TopicChange[]> {
  const specs = topicSpecs(readTopicFiles(projectPath('topics')), topics.partitions)
  const admin = await topicAdmin(kafka)
  try {
    const changes = planTopics(specs, await admin.existing())
    if (apply) await admin.apply(changes)
    return changes
  } finally {
    await admin.close()
  }
}

export const ourSchemas = (): readonly TopicSchema[] => readSchemas(projectPath('schemas'))

/** Registers every schema of the project. Idempotent. */
export const registerOurSchemas = ({ kafka, registry }: EngineAccess): Promise<readonly Registered[]> =>
  withLog({ ...kafka, clientId: 'story-schemas' }, async (log) => {
    const isUnwritten = async (topic: string) => (await log.ends(topic)).every((end) => end === 0)
    const registered = await registerSchemas({ ...registry, isUnwritten }, ourSchemas())
    const { topicSuffix = '' } = kafka
    if (topicSuffix === '') return registered
    // producers outside the service look for a schema under the name of the topic that they write to
    const stored = ourSchemas().map((schema) => ({ ...schema, topic: `${schema.topic}${topicSuffix}` }))
    return [...registered, ...(await registerSchemas({ ...registry, isUnwritten: async () => false }, stored))]
  })

export interface EngineAccess {
  readonly kafka: KafkaAccess
  readonly registry: RegistryAccess
}

/** Opens the log for the duration of `work`. */
export async function withLog<Result>(
  access: ConstructorParameters<typeof KafkaLog>[0],
  work: (log: KafkaLog) => Promise<Result>,
): Promise<Result> {
  const log = new KafkaLog(access)
  try {
    return await work(log)
  } finally {
    await log.close()
  }
}
