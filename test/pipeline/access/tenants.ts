import { newJobId } from '../../../src/api/jobs/job-id.ts'
import type { Entity } from '../../../src/events/articles.ts'
import { changesPublished, NO_FILTER_FACTS, type ChangePublished } from '../../../src/events/changes.ts'
import { articleId, clusterId, threadId } from '../../../src/events/ids.ts'
import { articlesClustered, type Member } from '../../../src/events/ledger.ts'
import { storiesTransitioned } from '../../../src/events/lifecycle.ts'
import { storiesMatched } from '../../../src/events/monitors.ts'
import { correctionsRequested } from '../../../src/events/settings.ts'
import { trendsDetected } from '../../../src/events/trends.ts'
import { webhooksDelivered, type WebhookDelivered } from '../../../src/events/webhooks.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Input, View } from '../../../src/runtime/shapes.ts'
import { changes, monitors, webhooks } from '../../../src/views/row-per-event.ts'
import { A_SECRET, type TestApi } from '../../builders/api.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aMatch } from '../../builders/monitors.ts'
import { aDelivery } from '../../builders/webhooks.ts'
import { aLink, anEntity, aStoryChange, aThreadPlace, type ViewWriter } from '../../builders/views.ts'

const HOUR_MS = 3_600_000

/** A tenant whose data contains a unique word in every name, title, text, URL and reason. */
export interface Tenant {
  readonly namespace: string
  readonly word: string
  readonly articles: readonly string[]
  /** Stories of two or more articles, with threads, corrections and discourse. */
  readonly stories: readonly string[]
  readonly jobs: readonly string[]
  readonly correction: string
  readonly thread: string
}

interface Into {
  readonly writer: ViewWriter
  readonly store: Store
  readonly api: Pick<TestApi, 'log' | 'codec'>
  /** Now, milliseconds since 1970: some tables drop rows older than a month. */
  readonly loggedAt: number
}

const STORIES = 3
const ARTICLES_EACH = 3

/** The same data for each tenant, except the word and what depends on the namespace. */
export async function aTenant(namespace: string, word: string, into: Into): Promise<Tenant> {
  const urls = Array.from({ length: STORIES * ARTICLES_EACH }, (_, i) => `https://${word}.example/news/${i}`)
  const articles = urls.map((url) => articleId(namespace, url, ''))
  const stories = Array.from({ length: STORIES }, (_, i) => clusterId(namespace, articles[i * ARTICLES_EACH] ?? ''))
  const jobs = articles.map(() => newJobId(A_DAY, null, { namespace, secret: A_SECRET }))
  const tenant: Tenant = {
    ...{ namespace, word, articles, stories, jobs },
    correction: `cor_${word}`.padEnd(30, 'a'),
    thread: threadId(namespace, stories[0] ?? ''),
  }
  await theirArticles(tenant, urls, into.writer)
  await theirStories(tenant, into.writer)
  await theirFeed(tenant, into)
  return tenant
}

const nameOf = (word: string): string => `Ada ${word.charAt(0).toUpperCase()}${word.slice(1)}son`

const theirEntities = (word: string): readonly Entity[] => [
  anEntity(nameOf(word), 'PERSON', [0, 90]),
  anEntity(`${nameOf(word)} Works`, 'ORG', [40]),
  anEntity('Oslo', 'GPE', [20]), // named by every tenant: counts must be separate
]

async function theirArticles(
  { namespace, word, articles, stories, jobs }: Tenant,
  urls: readonly string[],
  writer: ViewWriter,
) {
  for (const [i, article_id] of articles.entries()) {
    const title = `${nameOf(word)} opens bridge ${i}`
    const text = `${nameOf(word)} opened bridge ${i} in Oslo on Monday, ${nameOf(word)} Works said of ${word}. `.repeat(
      3,
    )
    const content_hash = `hash${i}`.padEnd(32, 'f')
    const own = {
      namespace,
      article_id,
      content_hash,
      title,
      text,
      url: urls[i] ?? null,
      source: `The ${word} Times ${i}`,
    }
    // the last two are of earlier days: a trend needs history, and with one day a velocity is below 1.5
    const daysBefore = Math.max(0, i + 3 - articles.length)
    const at = daysBefore === 0 ? A_DAY - (i + 1) * HOUR_MS : A_DAY - (daysBefore * 24 + 6) * HOUR_MS
    const when = { occurred_at: at, published_date: at }
    await writer.scored({ ...own, ...when, job_id: jobs[i] ?? null, author: `By ${word}` })
    await writer.analyzed({ ...own, ...when, entities: [...theirEntities(word)] })
    await writer.clustered({
      ...{ namespace, article_id, content_hash, occurred_at: when.occurred_at },
      cluster_id: stories[Math.floor(i / ARTICLES_EACH)] ?? '',
      action: i % ARTICLES_EACH === 0 ? 'opened' : 'joined',
      member: memberOf(word, { title, url: own.url ?? '', source: own.source }),
    })
  }
}

const memberOf = (word: string, over: Pick<Member, 'title' | 'url' | 'source'>): Member => ({
  ...aStoryArticle().member,
  ...over,
  publisher: over.source ?? '',
  categories: ['politics'],
  entities: theirEntities(word).map(({ entity_id, name, type, mentions }) => ({
    ...{ entity_id, name, type, mention_count: mentions.length, country: null, sentiment_score: null },
  })),
})

async function theirStories(tenant: Tenant, writer: ViewWriter): Promise<void> {
  const { namespace, word, stories, articles, correction, thread } = tenant
  const [first = '', second = '', third = ''] = stories
  const request = {
    correction_id: correction,
    action: 'keep_apart' as const,
    reason: `because of ${word}`,
    key_id: 'key_a',
  }
  await writer.write(correctionsRequested, [
    {
      ...{ ...request, event_id: `evt_${namespace}_asked`, namespace, occurred_at: A_DAY - HOUR_MS / 2 },
      ...{ cluster_id: first, other_cluster_id: second, article_ids: [articles[0] ?? ''] },
    },
  ])
  await writer.write(articlesClustered, [
    aStoryChange({
      ...{ namespace, action: 'corrected', to: first, from_cluster_id: second, occurred_at: A_DAY - HOUR_MS / 2 },
      correction: { ...request, refused: null },
    }),
  ])
  for (const cluster_id of stories) {
    await writer.enriched({
      ...{
        namespace,
        cluster_id,
        event_id: `evt_${namespace}_${cluster_id}`,
        story_title: `${nameOf(word)} opens bridge`,
      },
      ...{
        controversy_score: 0.9,
        dominant_themes: [`${word} repairs`],
        thread_urls: [`https://reddit.example/${word}`],
      },
      ...{ editorial_entities: [nameOf(word)], public_entities: [nameOf(word)], novel_entities: [`New ${word}`] },
      ...{
        counter_narrative_detected: true,
        counter_narrative_summary: `No ${word}`,
        counter_narrative_confidence: 0.8,
      },
      evidence: { novel_entities: { [`New ${word}`]: [`https://reddit.example/${word}`] }, counter_narrative: [] },
    })
    await writer.write(storiesTransitioned, [
      {
        ...{
          event_id: `evt_${cluster_id}_moved`,
          namespace,
          caused_by: null,
          produced_by: { stage: 'transitioned', version: 't' },
        },
        ...{ cluster_id, lifecycle_state: 'developing', previous_state: 'breaking', rule: 'developing', facts: {} },
        ...{ occurred_at: A_DAY - HOUR_MS, evaluated_at: A_DAY - HOUR_MS },
      },
    ])
    await writer.linked(
      aThreadPlace({ namespace, source: cluster_id, thread_id: thread, occurred_at: A_DAY - HOUR_MS }),
    )
  }
  await writer.linked(
    aLink({ namespace, source: first, target: second, occurred_at: A_DAY - HOUR_MS }),
    aLink({
      namespace,
      source: first,
      target: third,
      type: 'evolved_into',
      directed: true,
      occurred_at: A_DAY - HOUR_MS,
    }),
  )
  await writer.write(trendsDetected, [
    {
      ...{
        event_id: `evt_${namespace}_trend`,
        namespace,
        caused_by: null,
        produced_by: { stage: 'detected', version: 't' },
      },
      ...{
        occurred_at: A_DAY - HOUR_MS,
        type: 'trend.detected',
        subject_id: first,
        name: `${nameOf(word)} opens bridge`,
      },
      ...{ category: 'politics', velocity: 9, baseline: 1, window_hours: 24, count: 9, origins: 5, p_value: null },
      ...{ sentiment_before: null, sentiment_after: null, low_support: false },
    },
  ])
}

/** Changes of the feed, at equal offsets in the log and in its view. */
async function theirFeed({ namespace, word, stories }: Tenant, into: Into): Promise<void> {
  for (const [i, cluster_id] of stories.entries()) {
    const event: ChangePublished = {
      ...{ event_id: `evt_${namespace}_change_${i}`, namespace, occurred_at: A_DAY - HOUR_MS, caused_by: null },
      ...{
        produced_by: { stage: 'changed', version: 't' },
        type: 'cluster.grown',
        subject_id: cluster_id,
        entity_ids: [],
      },
      velocity: null,
      membership: null,
      assignment_confidence: null,
      ...NO_FILTER_FACTS,
      data: JSON.stringify({
        ...{
          cluster_id,
          from_cluster_id: null,
          article_ids: [`art_${word}`],
          correction_id: null,
          correction_action: null,
        },
      }),
    }
    const offset = into.api.log.records(changesPublished.name).length
    const value = await into.api.codec.encode(changesPublished, event)
    await into.api.log.produce([{ topic: changesPublished.name, key: changesPublished.key(event), value }])
    await projected(changes, event, { ...into, topic: changesPublished.name, offset })
  }
}

/** Outcomes of the deliveries of an endpoint. */
export async function aDeliveryOf(
  tenant: Tenant,
  webhook_id: string,
  into: Into & { offset: number },
): Promise<string> {
  const delivery_id = `dlv_${tenant.word}`.padEnd(30, 'a')
  const event: WebhookDelivered = aDelivery({
    ...{ namespace: tenant.namespace, webhook_id, delivery_id, change_id: `evt_${tenant.namespace}_change_0` },
    ...{ type: 'cluster.grown', payload: `{"type":"cluster.grown","data":{"word":"${tenant.word}"}}` },
  })
  await projected(webhooks, event, { ...into, topic: webhooksDelivered.name })
  return delivery_id
}

/** A story that matched a monitor. */
export async function aMatchOf(tenant: Tenant, monitor_id: string, into: Into): Promise<void> {
  const { namespace, word } = tenant
  const stories = aMatch().stories.map((story) => ({
    ...story,
    ...{ cluster_id: tenant.stories[0] ?? '', title: `Rain in ${word}`, url: `https://${word}.example/news/0` },
    ...{ source: word, article_ids: tenant.articles.slice(0, 1) },
  }))
  const event = aMatch({ event_id: `evt_${namespace}_match`, namespace, monitor_id, monitor_name: word, stories })
  await projected(monitors, event, { ...into, topic: storiesMatched.name, offset: 0 })
}

interface TenantsPlace extends Into {
  readonly topic: string
  readonly offset: number
}

async function projected(view: View, event: unknown, { store, topic, offset, loggedAt }: TenantsPlace): Promise<void> {
  const input: Input<unknown> = { event, topic, place: { topic, partition: 0, offset }, loggedAt }
  for (const projection of view.projections) {
    for (const { table, row } of projection.project(input as Input<never>)) await store.insert(table, [row])
  }
}
