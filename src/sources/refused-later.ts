import { articlesAnalyzed } from '../events/articles.ts'
import type { Codec, Log, LogRecord } from '../ports/log.ts'
import { deadTopic, readDeadLetter } from '../runtime/dead-letter.ts'

/** Article id to the reason why a stage rejected it. */
export type RefusedLater = ReadonlyMap<string, string>

/** Continues from the last call. */
export type Follow = () => Promise<RefusedLater>

const TOPICS = ['articles.ingested', 'articles.scored', 'articles.analyzed'].map(deadTopic)

/** Follows the dead letters of the pipeline from now on: a rejected article never becomes readable. */
export async function followRefusals(log: Pick<Log, 'ends' | 'read'>, codec: Codec): Promise<Follow> {
  const refused = new Map<string, string>()
  const next = new Map<string, number[]>()
  for (const topic of TOPICS) next.set(topic, [...(await log.ends(topic))])

  return async () => {
    for (const [topic, offsets] of next) {
      for (const [partition, end] of (await log.ends(topic)).entries()) {
        const from = offsets[partition] ?? 0
        if (from < end) for await (const letters of log.read(topic, partition, from)) await note(letters)
        offsets[partition] = Math.max(from, end)
      }
    }
    return refused
  }

  async function note(letters: readonly LogRecord[]): Promise<void> {
    for (const letter of letters) {
      const id = await articleIdOf(letter, codec)
      if (id === null) continue
      const { reason, resolved } = readDeadLetter(letter)
      if (resolved === 'retried') refused.delete(id)
      else refused.set(id, reason)
    }
  }
}

/** The key is the article's id, except for analysed articles, which are keyed by namespace and hold the id. */
async function articleIdOf(letter: LogRecord, codec: Codec): Promise<string | null> {
  if (letter.topic !== deadTopic(articlesAnalyzed.name)) return letter.key
  if (letter.value === null) return null
  const decoded = await codec.decode(articlesAnalyzed, letter.value)
  return decoded.kind === 'event' ? decoded.event.article_id : null
}
