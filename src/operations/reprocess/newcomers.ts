import type { LogRecord } from '../../ports/log.ts'
import { isRevision, type ResultPorts } from './outputs.ts'
import type { Reprocessed } from './stages.ts'

export const articleOf = ({
  namespace,
  article_id,
}: {
  readonly namespace: string
  readonly article_id: string
}): string => `${namespace} ${article_id}`

/**
 * Articles of which the running stage has emitted something since a point in time: what they say now is newer than what was found
 * out before it, and no older text may be emitted after it.
 */
export class Newcomers {
  private readonly stage: Reprocessed
  private readonly ports: ResultPorts
  private readonly next: number[]
  private readonly articles = new Set<string>()
  private readonly ours = new Set<string>()

  private constructor(stage: Reprocessed, ports: ResultPorts, next: readonly number[]) {
    this.stage = stage
    this.ports = ports
    this.next = [...next]
  }

  /** From the ends of the stage's output as they are now. */
  static async since(stage: Reprocessed, ports: ResultPorts): Promise<Newcomers> {
    return new Newcomers(stage, ports, await ports.log.ends(stage.output.name))
  }

  /** What this run emits is no newcomer. */
  add(eventId: string): void {
    this.ours.add(eventId)
  }

  async readOn(): Promise<ReadonlySet<string>> {
    const { log } = this.ports
    const topic = this.stage.output.name
    for (const [partition, end] of (await log.ends(topic)).entries()) {
      const from = this.next[partition] ?? 0
      if (from >= end) continue
      for await (const records of log.read(topic, partition, from)) {
        for (const record of records) await this.hear(record)
      }
    }
    return this.articles
  }

  private async hear({ partition, offset, value }: LogRecord): Promise<void> {
    this.next[partition] = offset + 1
    const decoded = value === null ? null : await this.ports.codec.decode(this.stage.output, value)
    if (decoded?.kind !== 'event' || this.ours.has(decoded.event.event_id)) return
    if (isRevision(decoded.event)) this.articles.add(articleOf(decoded.event))
  }
}
