import { setTimeout } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import { besideName } from '../beside-log.ts'
import { topicAdmin } from './admin.ts'
import { type KafkaAccess, kafkaAdmin } from './client.ts'

/** The topics of a shadow run, in which a new version of a stage runs besides the old one. */
export interface BesideTopics {
  /** Makes those that are not there yet, each as the topic it stands beside; of what has no such topic there is none. */
  make(topics: readonly string[]): Promise<void>
  /** Whether a process is in the group now; one that was killed is, for as long as its session lasts. */
  isAtWork(group: string): Promise<boolean>
  /** Which of them there are. */
  there(topics: readonly string[]): Promise<readonly string[]>
  /** Deletes them; answers how many there were. */
  drop(topics: readonly string[]): Promise<number>
  close(): Promise<void>
}

/** Names are those of the real topics and groups. */
export async function besideTopics(access: KafkaAccess): Promise<BesideTopics> {
  const admin = await kafkaAdmin(access, 'story-reprocess')
  return {
    make: (topics) => make(access, topics),
    isAtWork: async (group) => {
      const { groups } = await admin.describeGroups([besideName(group)])
      return groups.some(({ members }) => members.length > 0)
    },
    there: (topics) => existing(admin, topics),
    drop: (topics) => drop(admin, topics),
    close: () => admin.disconnect(),
  }
}

async function make(access: KafkaAccess, topics: readonly string[]): Promise<void> {
  const admin = await topicAdmin(access)
  try {
    const existing = new Map((await admin.existing()).map((topic) => [topic.name, topic]))
    const specs = topics.flatMap((name) => {
      const own = existing.get(name)
      return own === undefined || existing.has(besideName(name)) ? [] : [{ ...own, name: besideName(name) }]
    })
    await admin.apply(specs.map((topic) => ({ kind: 'create', topic })))
  } finally {
    await admin.close()
  }
}

async function existing(admin: Admin, topics: readonly string[]): Promise<readonly string[]> {
  const names = new Set(topics.map(besideName))
  return (await admin.listTopics()).filter((name) => names.has(name))
}

const LOOKS = 100
const LOOK_EVERY_MS = 100

async function drop(admin: Admin, topics: readonly string[]): Promise<number> {
  const names = await existing(admin, topics)
  if (names.length === 0) return 0
  await admin.deleteTopics({ topics: [...names] })
  // a name is free again only once every broker has deleted it
  for (let looks = 0; looks < LOOKS && (await existing(admin, topics)).length > 0; looks++)
    await setTimeout(LOOK_EVERY_MS)
  return names.length
}
