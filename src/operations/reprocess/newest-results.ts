import { besideName } from '../../adapters/beside-log.ts'
import type { CausedBy, Envelope, ProducedBy } from '../../events/envelope.ts'
import { derivedId } from '../../events/ids.ts'
import { withBoundTimes, type Topic } from '../../events/topic.ts'
import type { LogRecord, OutRecord } from '../../ports/log.ts'
import type { CorrectedOutput } from './corrections.ts'
import type { ResultPorts } from './outputs.ts'
import { tailOf, type Tail } from './stories.ts'

interface NewestResult {
  readonly event: Envelope
  readonly rank: number
}

interface CorrectedStage {
  readonly name: string
  readonly output: Topic<Envelope>
  readonly corrected: CorrectedOutput<Envelope>
}

/** The newest results of both versions about each subject of one output partition. */
export class NewestResults {
  private readonly output: Topic<Envelope>
  private readonly corrected: CorrectedOutput<Envelope>
  private readonly partition: number
  private readonly ports: ResultPorts
  private readonly tails: Readonly<Record<'live' | 'next', Tail>>
  private readonly stage: string
  private readonly before = new Map<string, NewestResult>()
  private readonly after = new Map<string, NewestResult>()
  /** Newest event time by namespace. */
  private readonly newestTime = new Map<string, number>()

  constructor({ name, output, corrected }: CorrectedStage, partition: number, ports: ResultPorts) {
    this.output = output
    this.corrected = corrected
    this.partition = partition
    this.ports = ports
    this.stage = name
    this.tails = {
      live: tailOf(ports.log, output.name, partition),
      next: tailOf(ports.log, besideName(output.name), partition),
    }
  }

  /** Reads the records added since the last call. Both versions know the events of other producers, such as the API. */
  async readNew(): Promise<void> {
    const { live, next } = this.tails
    await live(async (record) => {
      const event = await this.eventOf(record)
      this.take(event, this.before)
      if (event?.produced_by.stage !== this.stage) this.take(event, this.after)
    })
    await next(async (record) => this.take(await this.eventOf(record), this.after))
  }

  private async eventOf({ value, loggedAt }: LogRecord): Promise<Envelope | null> {
    const decoded = value === null ? null : await this.ports.codec.decode(this.output, value)
    return decoded?.kind === 'event' ? withBoundTimes(this.output, decoded.event, loggedAt) : null
  }

  private take(event: Envelope | null, newest: Map<string, NewestResult>): void {
    if (event === null) return
    this.newestTime.set(event.namespace, Math.max(this.timeOf(event), event.occurred_at))
    const subject = this.corrected.subjectOf(event)
    if (subject === null) return
    const rank = this.corrected.rankOf(event)
    const known = newest.get(subject)
    if (known === undefined || rank >= known.rank) newest.set(subject, { event, rank })
  }

  private timeOf({ namespace }: Pick<Envelope, 'namespace'>): number {
    return this.newestTime.get(namespace) ?? 0
  }

  private correctionOf(subject: string, upTo: CausedBy | null): Envelope | null {
    const before = this.before.get(subject)?.event ?? null
    const after = this.after.get(subject)?.event ?? null
    const any = after ?? before
    const newestTime = any === null ? 0 : this.timeOf(any)
    return this.corrected.correction({ before, after }, { newestTime, upTo })
  }

  /** Events after which the newest results are those of the new version. */
  async corrections(by: ProducedBy, upTo: CausedBy | null): Promise<readonly OutRecord[]> {
    const { output, partition } = this
    const end = (await this.ports.log.ends(output.name))[partition] ?? 0
    const events = [...new Set([...this.before.keys(), ...this.after.keys()])].flatMap((subject) => {
      const event = this.correctionOf(subject, upTo)
      // the end of the log makes the id differ from that of an earlier switch
      const event_id = derivedId(by, `${subject}\nreprocessed ${partition}:${end}`)
      return event === null ? [] : [{ ...event, event_id, produced_by: by }]
    })
    return Promise.all(
      events.map(async (event) => ({
        topic: output.name,
        key: output.key(event),
        value: await this.ports.codec.encode(output, event),
        partition,
      })),
    )
  }
}
