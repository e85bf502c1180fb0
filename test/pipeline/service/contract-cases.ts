import { z } from 'zod'
import { until } from '../until.ts'
import type { StoryService } from '../story.ts'

/** The content of a valid call; `answers` lists other allowed statuses. */
export interface GoodCall {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly answers?: readonly number[]
}

/** Existing objects, for operations that need one. */
export interface CaseFacts {
  readonly job: string
  readonly article: string
  readonly embedding: string
  readonly cluster: string
  readonly member: string
  readonly otherClusters: readonly [string, string]
  readonly entity: { readonly id: string; readonly name: string }
  readonly correction: string
  /** A story with posts. */
  readonly received: string
  readonly webhook: string
  readonly doomedWebhook: string
  /** A webhook of its own, so that the list of the other's deliveries is the same in each run. */
  readonly testedWebhook: string
  readonly delivery: string
  readonly feed: string
  readonly doomedFeed: string
  readonly monitor: string
  readonly channel: string
  readonly doomedMonitor: string
  readonly doomedChannel: string
}

const AN_ARTICLE = {
  text: 'The city council voted on Tuesday to close the old harbour bridge for two years of repairs. Engineers had found cracks in four of its twelve steel arches.',
  metadata: { title: 'Harbour bridge to close', url: 'https://www.example.com/bridge', source: 'Example Times' },
}
const A_WEBHOOK = { url: 'https://hooks.example.com/news', events: ['trend.detected'] }
const A_FEED = { url: 'https://www.example.com/news/rss.xml', source: 'Example Times', unchecked: true }
const A_CHANNEL = { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secret' }
const A_MONITOR = { name: 'Rain', conditions: { query: 'rain', min_origins: 2 }, channels: [A_CHANNEL] }
const WIDE = { time_range: '30d', min_articles: '1' }

type Cases = Readonly<Record<string, (facts: CaseFacts) => GoodCall | readonly GoodCall[]>>

/** A valid call of every operation, by name: a missing operation fails the test. */
export const GOOD: Cases = {
  getLiveness: () => ({}),
  getReadiness: () => ({}),
  getHealth: () => ({}),
  getPipeline: () => ({}),
  getEchoHealth: () => ({}),
  getOpenApiDocument: () => ({}),
  getAsyncApiDocument: () => ({}),
  submitArticle: () => [{ body: AN_ARTICLE }, { body: { text: AN_ARTICLE.text } }],
  submitArticles: () => ({ body: { articles: [AN_ARTICLE, { text: 'Too short.' }] } }),
  getJob: ({ job }) => ({ params: { job_id: job } }),
  getArticle: ({ article }) => [
    { params: { article_id: article } },
    { params: { article_id: article }, query: { include_embedding: 'true' } },
  ],
  listArticles: ({ entity, cluster }) => [
    { query: { entity: entity.name, time_range: '30d', limit: '5' } },
    { query: { cluster_id: cluster, query: 'the', languages: 'en' } },
    { query: { since: '2000-01-01', source: 'nytimes.com' } },
  ],
  getEmbedding: ({ embedding }) => ({ params: { embedding_id: embedding } }),
  searchArticles: () => [
    { query: { query: 'earthquake off the coast' } },
    { query: { query: 'earthquake', level: 'token', limit: '3' } },
  ],
  analyzeArticle: ({ article }) => [
    {
      body: {
        article_id: 'contract-1',
        content: 'Angela Merkel met Emmanuel Macron in Berlin on 3 March 2019. They promised 40 million euros.',
        published_date: '2019-03-04',
      },
    },
    { body: { article_id: article, content: 'known already' } },
  ],
  analyzeArticles: () => ({
    body: {
      articles: [
        { article_id: 'contract-2', content: 'Berlin waits.' },
        { article_id: 'contract-3', content: ' ' },
      ],
    },
  }),
  listLayer1Entities: () => ({ query: { limit: '5' } }),
  getLayer1EntityTimeline: ({ entity }) => ({ params: { entity_name: entity.name } }),
  getLayer1EntitySentiment: ({ entity }) => ({ params: { entity_name: entity.name } }),
  listClusters: () => [{ query: WIDE }, { query: { ...WIDE, limit: '1', sort: 'coverage' } }],
  listClusterChanges: () => ({ query: { limit: '50' } }),
  getCluster: ({ cluster }) => ({ params: { cluster_id: cluster } }),
  getClusterEvolution: ({ cluster }) => ({ params: { cluster_id: cluster }, query: { resolution: '1h' } }),
  explainMembership: ({ cluster, member }) => ({ params: { cluster_id: cluster, article_id: member } }),
  listStories: () => ({ query: WIDE }),
  relateStories: ({ otherClusters }) => ({ query: { ids: otherClusters.join(','), min_shared: '0' } }),
  getStory: ({ cluster }) => ({ params: { story_id: cluster } }),
  analyzeStory: ({ cluster }) => ({ params: { story_id: cluster } }),
  correctCluster: ({ cluster, otherClusters: [, other] }) => ({
    params: { cluster_id: cluster },
    body: { action: 'keep_apart', other_cluster_id: other },
  }),
  listCorrections: ({ cluster }) => ({ params: { cluster_id: cluster } }),
  undoCorrection: ({ correction }) => ({ params: { correction_id: correction } }),
  listEntities: () => ({ query: { time_range: '30d' } }),
  getEntity: ({ entity }) => ({ params: { entity_id: entity.id } }),
  getEntityTimeline: ({ entity }) => ({ params: { entity_id: entity.id }, query: { resolution: '6h' } }),
  getEntitySentiment: ({ entity }) => ({ params: { entity_name: entity.name } }),
  listEntityRelationships: ({ entity }) => [
    { query: { entity: entity.id, min_strength: '0' } },
    { query: { entity: entity.name, min_strength: '0.1', depth: '2' } },
  ],
  getEntityNetwork: ({ entity }) => ({ query: { entity: entity.id, min_strength: '0.1' } }),
  listStoryTrends: () => ({ query: { time_range: '7d' } }),
  listEntityTrends: () => ({ query: { min_velocity: '0' } }),
  listGraphEntityTrends: () => ({ query: { min_velocity: '0' } }),
  getGraphStats: () => ({}),
  listGraphRelationships: ({ cluster }) => ({ params: { cluster_id: cluster } }),
  listThreads: () => ({}),
  getThread: () => ({ params: { thread_id: 'thr_none' }, answers: [404] }), // three related stories: not in this sample
  buildGraph: () => ({}),
  getStoryReception: ({ received }) => ({ params: { story_id: received } }),
  getStoryReceptions: ({ received, cluster }) => ({ query: { ids: `${received},${cluster},sto_none` } }),
  listDisputedStories: () => ({ query: { min_controversy: '0' } }),
  searchReceptions: () => ({ query: { platform: 'reddit,bluesky', limit: '5' } }),
  getQuality: () => ({}),
  listChanges: () => ({ query: { limit: '1000' } }),
  streamChanges: () => ({}),
  addFeed: () => ({ body: A_FEED }),
  testFeed: () => ({ body: { url: A_FEED.url } }),
  listFeeds: () => ({}),
  getFeed: ({ feed }) => ({ params: { feed_id: feed } }),
  updateFeed: ({ feed }) => ({ params: { feed_id: feed }, body: { status: 'paused' } }),
  removeFeed: ({ doomedFeed }) => ({ params: { feed_id: doomedFeed } }),
  createWebhook: () => ({ body: A_WEBHOOK }),
  listWebhooks: () => ({}),
  getWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  updateWebhook: ({ webhook }) => ({ params: { id: webhook }, body: { description: 'Ours' } }),
  rotateWebhookSecret: ({ webhook }) => [
    { params: { id: webhook } },
    { params: { id: webhook }, body: { overlap_seconds: 0 } },
  ],
  testWebhook: ({ testedWebhook }) => ({ params: { id: testedWebhook } }),
  listWebhookDeliveries: ({ webhook }) => ({ params: { id: webhook } }),
  getWebhookDelivery: ({ webhook, delivery }) => ({ params: { id: webhook, delivery_id: delivery } }),
  redeliverWebhook: ({ webhook, delivery }) => ({ params: { id: webhook, delivery_id: delivery } }),
  createMonitor: () => ({ body: A_MONITOR }),
  testMonitorConditions: () => ({ body: { conditions: { min_origins: 2 }, days: 7 } }),
  testMonitorChannels: ({ monitor }) => ({ params: { monitor_id: monitor } }),
  listMonitors: () => ({}),
  getMonitor: ({ monitor }) => ({ params: { monitor_id: monitor } }),
  updateMonitor: ({ monitor }) => ({ params: { monitor_id: monitor }, body: { conditions: { places: ['DE'] } } }),
  listMonitorMatches: ({ monitor }) => ({ params: { monitor_id: monitor } }),
  addMonitorChannel: ({ monitor }) => ({ params: { monitor_id: monitor }, body: A_CHANNEL }),
  enableMonitorChannel: ({ monitor, channel }) => ({
    params: { monitor_id: monitor, channel_id: channel },
    body: { status: 'active' },
  }),
  rotateMonitorFeedToken: ({ monitor }) => ({ params: { monitor_id: monitor } }),
  revokeMonitorFeedToken: ({ monitor }) => ({ params: { monitor_id: monitor } }),
  removeMonitorChannel: ({ monitor, doomedChannel }) => ({
    params: { monitor_id: monitor, channel_id: doomedChannel },
  }),
  deleteMonitor: ({ doomedMonitor }) => ({ params: { monitor_id: doomedMonitor } }),
  deleteWebhook: ({ doomedWebhook }) => ({ params: { id: doomedWebhook } }),
}

const Clusters = z.object({ clusters: z.array(z.object({ id: z.string(), articles: z.array(z.string()) })) })
const Entities = z.object({ entities: z.array(z.object({ id: z.string(), name: z.string() })) })
const Results = z.object({ results: z.array(z.object({ story_id: z.string() })) })
const Deliveries = z.object({ deliveries: z.array(z.object({ id: z.string() })) })

/** Requests one object of each kind from a service that has the sample and its posts. */
export async function gather(story: StoryService): Promise<CaseFacts> {
  const first = await until('stories are listed', async () => {
    const { clusters } = Clusters.parse((await story.get('/v1/clusters?time_range=30d&sort=coverage')).body)
    return clusters.length > 5 ? clusters : null
  })
  const [big, second, third] = first
  const [member] = big?.articles ?? []
  if (big === undefined || second === undefined || third === undefined || member === undefined)
    throw new Error('few stories')
  const { embedding_id } = z
    .object({ embedding_id: z.string() })
    .parse((await story.get(`/layer0/v1/article/${member}`)).body)
  const entity = await until('entities are listed', async () => {
    const { entities } = Entities.parse((await story.get('/v1/entities?time_range=30d&type=GPE')).body)
    return entities[0] ?? null
  })
  const received = await until('the public was heard', async () => {
    const { body } = await story.get('/echo/v1/echo/search')
    return Results.parse(body).results[0]?.story_id ?? null
  })
  const webhook = await make(story, '/v1/webhooks', A_WEBHOOK, 'id')
  await make(story, `/v1/webhooks/${webhook}/test`, {}, 'delivery_id')
  const delivery = await until('the delivery is shown', async () => {
    const { body } = await story.get(`/v1/webhooks/${webhook}/deliveries`)
    return Deliveries.parse(body).deliveries[0]?.id ?? null
  })
  const monitor = await make(story, '/v1/monitors', A_MONITOR, 'id')
  return {
    monitor,
    channel: await make(story, `/v1/monitors/${monitor}/channels`, A_CHANNEL, 'id'),
    doomedChannel: await make(story, `/v1/monitors/${monitor}/channels`, A_CHANNEL, 'id'),
    doomedMonitor: await make(story, '/v1/monitors', A_MONITOR, 'id'),
    ...{ article: member, embedding: embedding_id, cluster: big.id, member, entity, received, webhook, delivery },
    otherClusters: [second.id, third.id],
    job: await make(story, '/layer0/v1/process', AN_ARTICLE, 'job_id'),
    correction: await make(
      story,
      `/v1/clusters/${big.id}/corrections`,
      { action: 'keep_apart', other_cluster_id: second.id },
      'correction_id',
    ),
    feed: await make(story, '/v1/feeds', A_FEED, 'id'),
    doomedFeed: await make(story, '/v1/feeds', { url: 'https://www.example.com/feed', unchecked: true }, 'id'),
    doomedWebhook: await make(story, '/v1/webhooks', A_WEBHOOK, 'id'),
    testedWebhook: await make(story, '/v1/webhooks', A_WEBHOOK, 'id'),
  }
}

async function make(story: StoryService, path: string, body: unknown, id: string): Promise<string> {
  const answer = await story.post(path, body)
  const made = answer.body[id]
  if (typeof made !== 'string') throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return made
}
