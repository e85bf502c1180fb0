import { projectPath } from '../../config/project-path.ts'
import type { Log } from '../../ports/log.ts'
import { deadTopic } from '../../runtime/dead-letter.ts'
import { readTopicFiles, type TopicFile } from '../../config/topics.ts'
import type { RemovedRecords } from './carry.ts'
import { REBUILT, type RebuiltView } from './rebuilt-tables.ts'
import type { Offsets } from '../lag/positions.ts'

type Cleanup = TopicFile['cleanup']

let known: ReadonlyMap<string, Cleanup> | null = null

/** The cleanup policy of each topic, from the topic files. */
export const cleanups = (): ReadonlyMap<string, Cleanup> =>
  (known ??= new Map(
    [...readTopicFiles(projectPath('topics'))].flatMap(([name, { cleanup }]): [string, Cleanup][] => [
      [name, cleanup],
      [deadTopic(name), 'delete'],
    ]),
  ))

/** Throws if a topic with unlimited retention has lost its oldest records: its views cannot be rebuilt. */
export async function checkCompleteTopics(views: readonly RebuiltView[], log: Pick<Log, 'starts'>): Promise<void> {
  const topics = [...new Set(views.flatMap((view) => REBUILT[view].map(({ topic }) => topic)))]
  for (const topic of topics.filter((name) => cleanups().get(name) === 'keep')) {
    const starts = await log.starts(topic)
    const partition = starts.findIndex((start) => start > 0)
    if (partition < 0) continue
    throw new Error(
      `The beginning of ${topic} is no longer in the log: partition ${partition} begins at offset ${starts[partition] ?? 0}, so a rebuild would lose older records. Restore the log with \`story archive import\`, or update the live tables in place with --from 0, which loses nothing`,
    )
  }
}

/** What the log may have removed from the topic of a table; `null` if the topic keeps everything. */
export async function removedRecordsOf(
  topic: string,
  { log, read }: { readonly log: Pick<Log, 'starts'>; readonly read: Offsets },
): Promise<RemovedRecords | null> {
  const cleanup = cleanups().get(topic)
  if (cleanup === 'compact') return { how: 'compacted', ends: read[topic] ?? [] }
  return cleanup === 'delete' ? { how: 'deleted', starts: await log.starts(topic) } : null
}
