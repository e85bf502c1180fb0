import { topic as topicOf } from '../../events/topic.ts'
import type { Codec, Decoded, Log } from '../../ports/log.ts'
import { projectPath } from '../../config/project-path.ts'
import { deadTopic } from '../../runtime/dead-letter.ts'
import { readTopicFiles } from '../../config/topics.ts'
import { isMeant, type Filter } from './filter.ts'
import { lettersIn, type DeadRecord, type FoundLetters } from './letters.ts'

/** Every topic of dead letters, or that of one topic (named with or without `.dead`). */
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
  /** Asked for only where a filter needs what is in the letters. */
  readonly codec: () => Promise<Codec>
}

/** The letters that are meant, `limit` at most. */
export async function* meant(ports: DeadPorts, looked: FoundLetters, filter: Filter): AsyncIterable<DeadRecord> {
  let found = 0
  for await (const letter of lettersIn(ports.log, looked)) {
    if (!isMeant(letter, filter)) continue
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

/** What the letter's bytes say, or why they say nothing; null: it came without its bytes. Throws when the registry is away. */
export async function decodedOf({ record, original }: DeadRecord, codec: Codec): Promise<Decoded<unknown> | null> {
  if (record.value === null) return null
  return codec.decode(
    topicOf<unknown>(original.topic, () => ''),
    record.value,
  )
}
