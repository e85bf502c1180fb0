import { setTimeout } from 'node:timers/promises'
import kafkajs, { type Admin } from 'kafkajs'
import type { ExistingTopic, TopicChange, TopicConfig } from '../../config/topics.ts'
import { besideName } from '../beside-log.ts'
import { type KafkaAccess, kafkaAdmin } from './client.ts'
import { onceReady } from './broker-errors.ts'
import { topicNames, type TopicNames } from './topic-names.ts'

// Node exposes only some names of this CommonJS package; the others are on its default export.
const { ConfigResourceTypes, ConfigSource } = kafkajs

/** Reads the broker's topics and applies planned changes. Names are ours, without the suffix of the generation. */
export interface TopicAdmin {
  /** All topics with their config overrides, except the broker's internal ones (`__…`). */
  existing(): Promise<readonly ExistingTopic[]>
  /** Throws before it changes anything if one of the changes is a conflict. */
  apply(changes: readonly TopicChange[]): Promise<void>
  /** Deletes topics. Returns how many there were. */
  drop(topics: readonly string[]): Promise<number>
  /** Those of the groups that have members. A killed process counts as a member until its session times out. */
  busy(groups: readonly string[]): Promise<readonly string[]>
  close(): Promise<void>
}

export async function topicAdmin(access: KafkaAccess): Promise<TopicAdmin> {
  const admin = await kafkaAdmin(access, 'story-topics')
  const names = topicNames(access)
  return {
    existing: async () => ownTopics(await existing(admin), names),
    apply: (changes) => apply(admin, changes, names),
    drop: (topics) =>
      drop(
        admin,
        topics.map((topic) => names.stored(topic)),
      ),
    busy: async (groups) => {
      const { groups: found } = await admin.describeGroups([...groups])
      return found.filter(({ members }) => members.length > 0).map(({ groupId }) => groupId)
    },
    close: () => admin.disconnect(),
  }
}

const ownTopics = (topics: readonly ExistingTopic[], names: TopicNames): readonly ExistingTopic[] =>
  topics.flatMap((topic) => {
    const name = names.own(topic.name)
    return name === null ? [] : [{ ...topic, name }]
  })

async function existing(admin: Admin): Promise<readonly ExistingTopic[]> {
  const names = (await admin.listTopics()).filter((name) => !name.startsWith('__'))
  if (names.length === 0) return []

  const { topics } = await admin.fetchTopicMetadata({ topics: names })
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
  })
  const overrides = new Map(resources.map((resource) => [resource.resourceName, ownEntries(resource.configEntries)]))
  return topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.length,
    config: overrides.get(name) ?? {},
  }))
}

type AdminEntry = Awaited<ReturnType<Admin['describeConfigs']>>['resources'][number]['configEntries'][number]

/** Keeps topic-level settings only, without the broker's defaults. */
const ownEntries = (entries: readonly AdminEntry[]): TopicConfig =>
  Object.fromEntries(entries.filter(isOwn).map(({ configName, configValue }) => [configName, configValue]))

const isOwn = ({ configSource }: AdminEntry): boolean => configSource === ConfigSource.TOPIC_CONFIG

async function apply(admin: Admin, changes: readonly TopicChange[], names: TopicNames): Promise<void> {
  const conflicts = changes.filter((change) => change.kind === 'conflict')
  if (conflicts.length > 0) throw new Error(conflicts.map(conflictMessage).join('\n'))

  const created = changes
    .filter((change) => change.kind === 'create')
    .map(({ topic }) => ({ ...topic, name: names.stored(topic.name) }))
  if (created.length > 0) await create(admin, created)

  const configured = changes.filter((change) => change.kind === 'configure')
  if (configured.length > 0) {
    // The broker replaces all overrides of a topic at once, so the plan contains the full set.
    const resources = configured.map(({ name, config }) => ({
      type: ConfigResourceTypes.TOPIC,
      name: names.stored(name),
      configEntries: entries(config),
    }))
    await admin.alterConfigs({ validateOnly: false, resources })
  }
}

const conflictMessage = ({ name, partitions, expected }: Extract<TopicChange, { kind: 'conflict' }>): string =>
  `${name} has ${partitions} partition(s) and should have ${expected}: keys would change their place, so this is never done by itself. Set TOPIC_PARTITIONS to what the log was made with, or use "story topics grow".`

async function create(admin: Admin, topics: readonly ExistingTopic[]): Promise<void> {
  await admin.createTopics({
    waitForLeaders: false, // kafkajs would fail if a broker does not know the topic yet
    topics: topics.map(({ name, partitions, config }) => ({
      topic: name,
      numPartitions: partitions,
      configEntries: entries(config),
    })),
  })
  const names = topics.map(({ name }) => name)
  await onceReady(() => admin.fetchTopicMetadata({ topics: names }), NO_LEADERS)
}

/** A topic exists before every broker knows it, and is known before it has leaders. */
const NO_LEADERS = { types: new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']), attempts: 100 }

const entries = (config: TopicConfig): { name: string; value: string }[] =>
  Object.entries(config).map(([name, value]) => ({ name, value }))

/** The topics and groups of a shadow run, in which a new version of a stage runs next to the live one. */
export interface BesideTopics {
  /**
   * Creates the missing shadow topics with the settings of their live topics. Topics without a live topic are skipped.
   */
  make(topics: readonly string[]): Promise<void>
  /** Whether the shadow group has members. A killed process counts as a member until its session times out. */
  isAtWork(group: string): Promise<boolean>
  /** The shadow topics that exist. */
  there(topics: readonly string[]): Promise<readonly string[]>
  /** Deletes the shadow topics. Returns how many there were. */
  drop(topics: readonly string[]): Promise<number>
  close(): Promise<void>
}

/** Callers pass the names of the live topics and groups. */
export async function besideTopics(access: KafkaAccess): Promise<BesideTopics> {
  const admin = await kafkaAdmin(access, 'story-reprocess')
  const names = topicNames(access)
  return {
    make: (topics) => make(admin, topics, names),
    isAtWork: async (group) => {
      const { groups } = await admin.describeGroups([besideName(group)])
      return groups.some(({ members }) => members.length > 0)
    },
    there: (topics) => there(admin, besideNames(topics, names)),
    drop: (topics) => drop(admin, besideNames(topics, names)),
    close: () => admin.disconnect(),
  }
}

const besideNames = (topics: readonly string[], names: TopicNames): readonly string[] =>
  topics.map((topic) => names.stored(besideName(topic)))

async function make(admin: Admin, topics: readonly string[], names: TopicNames): Promise<void> {
  const known = new Map(ownTopics(await existing(admin), names).map((topic) => [topic.name, topic]))
  const specs = topics.flatMap((name) => {
    const own = known.get(name)
    return own === undefined || known.has(besideName(name)) ? [] : [{ ...own, name: besideName(name) }]
  })
  await apply(
    admin,
    specs.map((topic) => ({ kind: 'create', topic })),
    names,
  )
}

/** Those of the topics in Kafka that exist. */
async function there(admin: Admin, stored: readonly string[]): Promise<readonly string[]> {
  const names = new Set(stored)
  return (await admin.listTopics()).filter((name) => names.has(name))
}

const ATTEMPTS = 100
const POLL_MS = 100

async function drop(admin: Admin, stored: readonly string[]): Promise<number> {
  const names = await there(admin, stored)
  if (names.length === 0) return 0
  await admin.deleteTopics({ topics: [...names] })
  // a name can be reused only after every broker has deleted the topic
  for (let attempts = 0; attempts < ATTEMPTS && (await there(admin, stored)).length > 0; attempts++)
    await setTimeout(POLL_MS)
  return names.length
}
