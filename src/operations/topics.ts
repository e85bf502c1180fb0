import { topicAdmin } from '../adapters/kafka/admin.ts'
import { projectPath } from '../config/project-path.ts'
import { planTopics, readTopicFiles, type TopicChange, topicSpecs } from '../config/topics.ts'
import type { Wiring } from '../ports/wiring.ts'

/** What the engines and the partitions setting of a configuration ask of the log. */
type TopicsOf = Pick<Wiring['config'], 'kafka' | 'topics'>

/** What `applyTopics` would change. */
export const plannedTopics = (config: TopicsOf): Promise<readonly TopicChange[]> => changeTopics(config, false)

/** Makes the log have what `topics/*.yaml` ask for; answers what it changed. A conflict throws before anything is done. */
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
