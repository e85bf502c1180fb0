import type { KafkaAccess } from '../adapters/kafka/client.ts'
import { KafkaLog } from '../adapters/kafka/kafka-log.ts'
import { type RegistryAccess, type Registered, registerSchemas } from '../adapters/registry/register.ts'
import { projectPath } from '../config/project-path.ts'
import { readSchemas, type TopicSchema } from '../config/schemas.ts'

/** The schemas of the project. */
export const ourSchemas = (): readonly TopicSchema[] => readSchemas(projectPath('schemas'))

/** Makes every schema of the project known to a registry; harmless when it knows them. */
export async function registerOurSchemas({
  kafka,
  registry,
}: {
  readonly kafka: KafkaAccess
  readonly registry: RegistryAccess
}): Promise<readonly Registered[]> {
  const log = new KafkaLog({ ...kafka, clientId: 'story-schemas' })
  try {
    const isUnwritten = async (topic: string) => (await log.ends(topic)).every((end) => end === 0)
    return await registerSchemas({ ...registry, isUnwritten }, ourSchemas())
  } finally {
    await log.close()
  }
}
