import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { Pulse } from './health.ts'

/** A metric, with what an operator should do about it. */
export interface MetricText {
  readonly means: string
  /** What to do when it rises. */
  readonly ifItRises: string
  readonly labels: readonly string[]
}

export const counters = {
  story_inputs_total: {
    means: 'Inputs by what became of them: emit, skip, reject, malformed',
    ifItRises: 'malformed: find the producer in the dead letters; reject: read `story dead list` by reason',
    labels: ['stage', 'outcome', 'reason'],
  },
  story_events_total: {
    means: 'Events written to the log',
    ifItRises: 'good; when it stands still while lag rises, look for retries',
    labels: ['stage', 'topic'],
  },
  story_rows_total: {
    means: 'Rows written to the store',
    ifItRises: 'good; when it stands still while lag rises, ask whether the store is up',
    labels: ['view', 'table'],
  },
  story_dead_letters_total: {
    means: 'Records set aside with their bytes',
    ifItRises: '`story dead list`, mend the cause, `story dead retry`',
    labels: ['stage', 'reason'],
  },
  story_retries_total: {
    means: 'Steps tried again: something is away, or a stage throws',
    ifItRises: 'the warning in the log names the step and the cause; nothing is lost while it lasts',
    labels: ['stage', 'step'],
  },
  story_restores_total: {
    means: 'Memories rebuilt from their changelog, on assignment and after any failure to write',
    ifItRises: 'two processes fight for one partition, or the broker is slow: look at rebalances and retries',
    labels: ['stage'],
  },
  story_graph_differences_total: {
    means: 'Relationships and places in threads that the six-hourly build of the graph found otherwise than kept',
    ifItRises: 'the build has mended them; the error in the log says where: report it, the stage linked has a defect',
    labels: ['namespace'],
  },
  story_attempts_total: {
    means: 'Attempts of an effect (deliveries to webhooks, say) by what came of them',
    ifItRises:
      'failed: their receivers are away, each lane slows down by itself; given_up or too_many_waiting: tell the owner',
    labels: ['effect', 'outcome'],
  },
  story_slow_readers_total: {
    means: 'Streams of changes that were cut off, because their client took nothing for 30 s',
    ifItRises:
      'the log names the keys: their clients, or what lies between, do not keep up; they go on by their last id',
    labels: [],
  },
  story_bodies_refused_total: {
    means:
      'Request bodies that the API did not receive, by reason: deadline, waited_too_long, caller_queue_full, queue_full',
    ifItRises:
      'deadline: clients upload too slowly; the others: add instances of the API, or raise REQUEST_BODIES_MB where memory allows',
    labels: ['reason'],
  },
  story_stale_batches_total: {
    means: 'Batches dropped because their partition was taken away; another consumer repeats them',
    ifItRises: 'parts take longer than the session time-out: look at story_part_seconds',
    labels: ['stage'],
  },
} as const satisfies Record<string, MetricText>

export const gauges = {
  story_lag_records: {
    means: 'Records in the partition that this consumer has not yet read for good',
    ifItRises: 'more comes in than one process can do: add processes up to the number of partitions',
    labels: ['stage', 'topic', 'partition'],
  },
  story_retrying: {
    means: '1 for each partition whose batch is being retried; the other partitions of the process go on',
    ifItRises: 'the warning in the log names the partition, the step and the cause; its lag grows while it lasts',
    labels: ['stage', 'topic', 'partition'],
  },
  story_bodies_waiting: {
    means:
      'Requests whose body the API does not read yet: their caller, or the instance, has as many bytes in hand as it may',
    ifItRises:
      'an import sends faster than its articles are taken; others are not held up. If it stays: add instances of the API',
    labels: [],
  },
  story_pending: {
    means: 'What an effect still has to do, waiting for its next attempt included',
    ifItRises:
      'receivers fail or answer slowly: look at story_attempts_total by outcome, and at the deliveries of each endpoint',
    labels: ['effect', 'partition'],
  },
  story_feeds: {
    means: 'Watched feeds by state: waiting, ok, failing, paused, gone. The scheduler counts them every five minutes',
    ifItRises: 'failing or gone: `GET /v1/feeds` and the dashboard name the feeds and the reason',
    labels: ['namespace', 'state'],
  },
  story_feeds_without_full_text: {
    means: 'Watched feeds whose pages are read, and none gave the text of an article in the last seven days',
    ifItRises:
      'their sites forbid the pages, or the articles in them are not recognised: read one with `story extract`',
    labels: ['namespace'],
  },
  story_feed_overdue_seconds: {
    means: 'How long the poll of an active feed is overdue, the longest of all feeds',
    ifItRises: 'connector:feeds does not run, or is behind; a view that is behind shows the same: `story lag`',
    labels: ['namespace'],
  },
} as const satisfies Record<string, MetricText>

export const histograms = {
  story_part_seconds: {
    means: 'From reading a part of a batch to its commit',
    ifItRises: 'the model, the store or the broker is slower than it was',
    labels: ['stage'],
  },
  story_attempt_seconds: {
    means: 'How long one attempt of an effect takes, up to its time-out',
    ifItRises: 'some receivers answer slowly; others are not held up by them',
    labels: ['effect'],
  },
} as const satisfies Record<string, MetricText>

type MetricsLabels<Of extends MetricText> = Readonly<Record<Of['labels'][number], string>>

/** The only access to the metrics library. */
export interface Metrics {
  count<Name extends keyof typeof counters>(
    name: Name,
    labels: MetricsLabels<(typeof counters)[Name]>,
    by?: number,
  ): void
  set<Name extends keyof typeof gauges>(name: Name, labels: MetricsLabels<(typeof gauges)[Name]>, value: number): void
  /** This process no longer reports the value. */
  unset<Name extends keyof typeof gauges>(name: Name, labels: MetricsLabels<(typeof gauges)[Name]>): void
  observe<Name extends keyof typeof histograms>(
    name: Name,
    labels: MetricsLabels<(typeof histograms)[Name]>,
    value: number,
  ): void
  /** Creates the pulse of a consumer that starts. Its loop reports progress there. */
  pulse(group: string, now: number): Pulse
  /** The pulses of all consumers of this process. */
  readonly pulses: readonly Pulse[]
  readonly contentType: string
  /** The page that Prometheus reads. */
  page(): Promise<string>
}

const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(): Metrics {
  const register = new Registry()
  const of = ({ means, ifItRises, labels }: MetricText) => ({
    help: `${means}. If it rises: ${ifItRises}`,
    labelNames: [...labels],
    registers: [register],
  })
  const counted = each(counters, (name, described) => new Counter({ name, ...of(described) }))
  const gauged = each(gauges, (name, described) => new Gauge({ name, ...of(described) }))
  const pulses: Pulse[] = []
  const timed = each(histograms, (name, described) => new Histogram({ name, ...of(described), buckets: SECONDS }))
  return {
    count: (name, labels, by = 1) => counted.get(name)?.inc(labels, by),
    set: (name, labels, value) => gauged.get(name)?.set(labels, value),
    unset: (name, labels) => gauged.get(name)?.remove(labels),
    observe: (name, labels, value) => timed.get(name)?.observe(labels, value),
    pulse: (group, now) => {
      const pulse = new Pulse(group, now)
      pulses.push(pulse)
      return pulse
    },
    pulses,
    contentType: register.contentType,
    page: () => register.metrics(),
  }
}

const each = <Made>(described: Readonly<Record<string, MetricText>>, make: (name: string, is: MetricText) => Made) =>
  new Map(Object.entries(described).map(([name, is]) => [name, make(name, is)]))
