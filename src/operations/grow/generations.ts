import type { TopicAdmin } from '../../adapters/kafka/admin.ts'
import {
  planTopics,
  type ExistingTopic,
  type TopicChange,
  type TopicConfig,
  type TopicSpec,
} from '../../config/topics.ts'

const TIMESTAMPS = 'message.timestamp.type'
const MAX_BYTES = 'max.message.bytes'

/**
 * Every other batch of ours is larger than the marker of a transaction (78 bytes): the broker rejects every write, and
 * still completes transactions.
 */
const SEALED_BYTES = '79'

/** The changes to the topics of both generations. `specs` are those of the generation of `admin`. */
export interface Generation {
  readonly admin: Pick<TopicAdmin, 'existing' | 'apply' | 'drop'>
  readonly specs: readonly TopicSpec[]
}

const withConfig = (specs: readonly TopicSpec[], config: TopicConfig): readonly TopicSpec[] =>
  specs.map((spec) => ({ ...spec, config: { ...spec.config, ...config } }))

/** Creates the missing topics. They keep the timestamps of records until they are opened. */
export async function createTopics({ admin, specs }: Generation): Promise<void> {
  await admin.apply(planTopics(withConfig(specs, { [TIMESTAMPS]: 'CreateTime' }), await admin.existing()))
}

/** Gives the topics their own settings. */
export async function openTopics({ admin, specs }: Generation): Promise<void> {
  await admin.apply(planTopics(specs, await admin.existing()))
}

/** `open`: the topics have been opened for writers, so they may have records of their own. */
export async function stateOf({ admin, specs }: Generation): Promise<'missing' | 'filling' | 'open'> {
  const topics = await ours({ admin, specs })
  if (topics.length === 0) return 'missing'
  const isOpen = topics.length === specs.length && topics.every(({ config }) => config[TIMESTAMPS] !== 'CreateTime')
  return isOpen ? 'open' : 'filling'
}

/** From here on, the broker rejects every record for these topics. */
export async function sealTopics(generation: Generation): Promise<void> {
  const topics = await ours(generation)
  await generation.admin.apply(topics.map((topic) => configured(topic, { ...topic.config, [MAX_BYTES]: SEALED_BYTES })))
}

/** Gives sealed topics their own limit again. Returns how many there were. */
export async function unsealTopics(generation: Generation): Promise<number> {
  const specs = new Map(generation.specs.map((spec) => [spec.name, spec]))
  const sealed = (await ours(generation)).filter(({ config }) => config[MAX_BYTES] === SEALED_BYTES)
  await generation.admin.apply(
    sealed.map((topic) => {
      const others = Object.entries(topic.config).filter(([name]) => name !== MAX_BYTES)
      return configured(topic, { ...Object.fromEntries(others), ...specs.get(topic.name)?.config })
    }),
  )
  return sealed.length
}

async function ours({ admin, specs }: Generation): Promise<readonly ExistingTopic[]> {
  const names = new Set(specs.map(({ name }) => name))
  return (await admin.existing()).filter(({ name }) => names.has(name))
}

const configured = ({ name }: ExistingTopic, config: TopicConfig): TopicChange => ({
  kind: 'configure',
  name,
  config,
  differences: [],
})
