import { join } from 'node:path'
import { kafkaAppender } from '../../adapters/kafka/appender.ts'
import { topicAdmin, type TopicAdmin } from '../../adapters/kafka/admin.ts'
import { projectPath } from '../../config/project-path.ts'
import { readTopicFiles, topicPartitions, topicSpecs, topicSuffix } from '../../config/topics.ts'
import { isTaken, takeLock } from '../../engines/lock-file.ts'
import type { Log } from '../../ports/log.ts'
import type { Wiring } from '../../ports/wiring.ts'
import type { CommandOptions } from '../options.ts'
import { countedProgress } from '../progress.ts'
import { withLog } from '../topics.ts'
import { copyProgress, copyTopics } from './copy.ts'
import { createTopics, openTopics, sealTopics, stateOf, unsealTopics, type Generation } from './generations.ts'
import { grownTopics } from './plan.ts'
import { fenceStages, ourGroups, switchOver, type SwitchPorts } from './switch-over.ts'
import { retriedAppender } from './retried-appender.ts'
import type { GrownTopic } from './routes.ts'

export interface GrowOptions extends CommandOptions {
  readonly partitions: string
  readonly suffix?: string
  readonly finish?: true
  readonly abort?: true
}

/** Both generations, open for the duration of a command. */
interface Growth {
  readonly wiring: Wiring
  readonly json: boolean
  readonly partitions: number
  readonly suffix: string
  readonly topics: readonly GrownTopic[]
  readonly old: Generation & { readonly admin: TopicAdmin }
  readonly grown: Generation
  readonly to: Log
}

/** `story topics grow`. */
export async function growCommand(wiring: Wiring, options: GrowOptions): Promise<void> {
  if (options.dryRun) {
    await withGenerations(wiring, options, printPlan)
    return
  }
  const lock = takeLock(join(wiring.config.home, 'grow.lock'))
  if (isTaken(lock)) throw new Error(`process ${lock.pid} is growing the topics`)
  try {
    await withGenerations(wiring, options, (growth) =>
      options.abort ? abort(growth) : grow(growth, options.finish === true),
    )
  } finally {
    lock.release()
  }
}

async function withGenerations(
  wiring: Wiring,
  options: GrowOptions,
  work: (growth: Growth) => Promise<void>,
): Promise<void> {
  const { kafka, topics } = wiring.config
  const { partitions, suffix } = targetOf(options, kafka.topicSuffix)
  const files = readTopicFiles(projectPath('topics'))
  const specs = { old: topicSpecs(files, topics.partitions), grown: topicSpecs(files, partitions) }
  const access = { ...kafka, topicSuffix: suffix }
  const admins = [await topicAdmin(kafka), await topicAdmin(access)] as const
  try {
    const old = { admin: admins[0], specs: specs.old }
    const growth = {
      ...{ wiring, json: options.json === true, partitions, suffix, old },
      topics: grownTopics(await old.admin.existing(), specs),
      grown: { admin: admins[1], specs: specs.grown },
    }
    await withLog({ ...access, clientId: 'story-grow' }, (to) => work({ ...growth, to }))
  } finally {
    await Promise.all(admins.map((admin) => admin.close()))
  }
}

function targetOf({ partitions: text, suffix }: GrowOptions, current = ''): { partitions: number; suffix: string } {
  const partitions = topicPartitions.safeParse(text).data
  if (typeof partitions !== 'number') throw new Error(`--partitions ${text}: expected a number from 2 on`)
  const chosen = topicSuffix.safeParse(suffix ?? `.p${partitions}`).data ?? ''
  if (chosen === '') throw new Error(`--suffix ${suffix ?? ''}: expected a dot, then letters, digits or hyphens (.p24)`)
  if (chosen === current)
    throw new Error(`${chosen} is the suffix of the topics in use (TOPIC_SUFFIX). Choose another --suffix`)
  return { partitions, suffix: chosen }
}

async function printPlan({ wiring, json, topics, old, grown, to, suffix }: Growth): Promise<void> {
  const { out } = wiring
  const state = await stateOf(grown)
  const there = new Set((await grown.admin.existing()).map(({ name }) => name))
  const copied = { ends: async (topic: string) => (there.has(topic) ? to.ends(topic) : []) }
  const found = await copyProgress({ from: await wiring.log(), to: copied }, topics)
  const running = await old.admin.busy(ourGroups(wiring.config.stores).map(({ group }) => group))
  if (json) {
    out.json({ dry_run: true, suffix, state, topics: found, running })
    return
  }
  for (const { topic, from: before, to: after, offsets, left } of found) {
    out.line(`${topic}${suffix}: ${before} -> ${after} partition(s), ${left} of ${offsets} offsets to copy`)
  }
  if (running.length > 0) out.line(`--finish needs these consumers stopped: ${running.join(', ')}`)
}

async function grow(growth: Growth, isLast: boolean): Promise<void> {
  const { wiring, topics, old, grown, to } = growth
  if ((await stateOf(grown)) === 'open')
    throw new Error(`the topics with the suffix ${growth.suffix} are complete. ${next(growth)}`)
  await createTopics(grown)
  const from = await wiring.log()
  const offsets = (await copyProgress({ from, to }, topics)).reduce((sum, { left }) => sum + left, 0)
  const progress = countedProgress(wiring, { whole: offsets, of: 'offsets' })
  const open = () => kafkaAppender({ ...wiring.config.kafka, topicSuffix: growth.suffix, clientId: 'story-grow' })
  const ports: SwitchPorts = {
    ...{ from, to, codec: await wiring.codec(), onDone: progress.done },
    appender: () => retriedAppender({ log: to, clock: wiring.clock, open }),
    discard: async (topic) => {
      await grown.admin.drop([topic])
    },
    groups: ourGroups(wiring.config.stores),
    busy: (groups) => old.admin.busy(groups),
    seal: () => sealTopics(old),
    fence: () => fenceStages(from, topics),
    open: () => openTopics(grown),
  }
  await (isLast ? switchOver(ports, topics) : copyTopics(ports, topics))
  progress.end()
  await report(growth, { copied: offsets, isLast })
}

async function report(
  growth: Growth,
  { copied, isLast }: { readonly copied: number; readonly isLast: boolean },
): Promise<void> {
  const { wiring, json, topics, to, suffix, partitions } = growth
  const left = (await copyProgress({ from: await wiring.log(), to }, topics)).reduce((sum, one) => sum + one.left, 0)
  const how = isLast
    ? next(growth)
    : `${left} have arrived meanwhile. Stop the service and the producers, then run the command with --finish`
  if (json) wiring.out.json({ dry_run: false, finished: isLast, suffix, partitions, copied, left })
  else wiring.out.line(`${copied} offsets of ${topics.length} topics copied. ${how}`)
}

const next = ({ partitions, suffix }: Growth): string =>
  `Set TOPIC_PARTITIONS=${partitions} and TOPIC_SUFFIX=${suffix} for every process, and start them`

/** The old generation is complete until the first record is written to the new one. */
async function abort({ wiring, json, topics, old, grown, to, suffix }: Growth): Promise<void> {
  if ((await stateOf(grown)) === 'missing') throw new Error(`there are no topics with the suffix ${suffix}`)
  const there = new Set((await grown.admin.existing()).map(({ name }) => name))
  const from = await wiring.log()
  for (const { topic, from: width } of topics.filter(({ topic: name }) => there.has(name))) {
    const [ends, copied] = [await from.ends(topic), await to.ends(topic)]
    if (copied.every((end, partition) => end <= (ends[partition % width] ?? 0))) continue
    throw new Error(
      `${topic}${suffix} has records that ${topic} lacks: they were written after the switch-over and would be lost`,
    )
  }
  const dropped = await grown.admin.drop(grown.specs.map(({ name }) => name))
  const unsealed = await unsealTopics(old)
  if (json) wiring.out.json({ dry_run: false, dropped, unsealed })
  else wiring.out.line(`${dropped} new topics deleted, ${unsealed} old topics accept records again`)
}
