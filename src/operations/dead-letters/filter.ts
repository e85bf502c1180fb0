import { checkedNamespace, momentOf } from '../options.ts'
import { positionName, type DeadRecord, lettersIn, type FoundLetters } from './letters.ts'
import { topic as topicOf } from '../../events/topic.ts'
import type { Codec, Decoded, Log } from '../../ports/log.ts'
import { projectPath } from '../../config/project-path.ts'
import { deadTopic } from '../../runtime/dead-letter.ts'
import { readTopicFiles } from '../../config/topics.ts'

/** Options as parsed by commander. */
export interface FilterOptions {
  readonly stage?: string
  readonly topic?: string
  readonly reason?: string
  readonly namespace?: string
  readonly since?: string
  readonly until?: string
  readonly id?: readonly string[]
  readonly limit?: string
  readonly settled?: true
}

/** Selects dead letters. */
export interface Filter {
  readonly stage: string | null
  readonly reason: string | null
  readonly namespace: string | null
  /** When the letter was written, milliseconds since 1970: `since` inclusive, `until` exclusive. */
  readonly since: number
  readonly until: number
  /** Positions of letters or of their original records; empty selects all. */
  readonly positions: ReadonlySet<string>
  readonly limit: number
  /** Includes letters that were retried or dropped. */
  readonly withResolved: boolean
}

/** Throws an error that names the invalid option. */
export function filterOf(options: FilterOptions, now: number): Filter {
  const { stage = null, reason = null, id = [] } = options
  return {
    stage,
    reason,
    namespace: options.namespace === undefined ? null : checkedNamespace(options.namespace),
    since: moment('--since', options.since, now) ?? -Infinity,
    until: moment('--until', options.until, now) ?? Infinity,
    positions: new Set(id.map(checkedPosition)),
    limit: limitOf(options.limit),
    withResolved: options.settled === true,
  }
}

function moment(option: string, text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const at = momentOf(text, now)
  if (at === null) throw new Error(`${option} ${text}: expected a date (2027-01-31) or how long ago (30m, 12h, 7d)`)
  return at
}

function checkedPosition(text: string): string {
  if (!/^[^\s:]+:\d+:\d+$/.test(text)) {
    throw new Error(`--id ${text}: expected topic:partition:offset, from \`story dead list\``)
  }
  return text
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return Infinity
  const limit = Number(text)
  if (!Number.isSafeInteger(limit) || limit < 1) throw new Error(`--limit ${text}: expected a whole number, 1 or more`)
  return limit
}

/** Whether the headers of a letter match. The namespace is in its value and is checked separately. */
function matches(letter: DeadRecord, filter: Filter): boolean {
  const { record, stage, reason, resolution } = letter
  return (
    (resolution === null || filter.withResolved) &&
    isOneOf(stage, filter.stage) &&
    isOneOf(reason, filter.reason) &&
    record.loggedAt >= filter.since &&
    record.loggedAt < filter.until &&
    isAt(letter, filter.positions)
  )
}

const isOneOf = (value: string, filter: string | null): boolean => filter === null || filter.split(',').includes(value)

const isAt = ({ record, original }: DeadRecord, positions: Filter['positions']): boolean =>
  positions.size === 0 || positions.has(positionName(record)) || positions.has(positionName(original))

/** Every dead-letter topic, or that of one topic (named with or without `.dead`). */
export function deadTopics(of: string | undefined): readonly string[] {
  const files = [...readTopicFiles(projectPath('topics'))]
  const all = files.filter(([, file]) => file['dead-letters'] !== undefined).map(([name]) => name)
  const filter = of?.replace(/\.dead$/, '')
  if (filter === undefined) return all.map(deadTopic)
  if (!all.includes(filter)) throw new Error(`--topic ${of ?? ''}: not a topic with dead letters (${all.join(', ')})`)
  return [deadTopic(filter)]
}

interface DeadPorts {
  readonly log: Pick<Log, 'ends' | 'read'>
  /** Used only if a filter needs the values of the letters. */
  readonly codec: () => Promise<Codec>
}

/** The letters that match, at most `limit`. */
export async function* selectLetters(ports: DeadPorts, all: FoundLetters, filter: Filter): AsyncIterable<DeadRecord> {
  let found = 0
  for await (const letter of lettersIn(ports.log, all)) {
    if (!matches(letter, filter)) continue
    if (filter.namespace !== null && (await namespaceOf(letter, ports)) !== filter.namespace) continue
    yield letter
    found += 1
    if (found >= filter.limit) return
  }
}

async function namespaceOf(letter: DeadRecord, { codec }: DeadPorts): Promise<string | null> {
  const decoded = await decodedOf(letter, await codec())
  if (decoded?.kind !== 'event') return null
  const { event } = decoded
  return typeof event === 'object' && event !== null && 'namespace' in event && typeof event.namespace === 'string'
    ? event.namespace
    : null
}

/**
 * The decoded value of a letter, or why it cannot be decoded; `null` if it has no value. Throws if the registry is
 * unavailable.
 */
export async function decodedOf({ record, original }: DeadRecord, codec: Codec): Promise<Decoded<unknown> | null> {
  if (record.value === null) return null
  return codec.decode(
    topicOf<unknown>(original.topic, () => ''),
    record.value,
  )
}
