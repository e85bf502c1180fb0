import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './api.ts'
import { chunks, echoQuery, type EchoSearch, type EchoPlatform } from './echo.ts'
import { storyError } from './errors.ts'
import { follow, type Following, type StoryEvent } from './feed.ts'
import { waitForJob, type Job, type WaitForJobOptions } from './jobs.ts'
import { onePerSource } from './tokens.ts'
import { withRetries, type Fetch } from './transport.ts'

/** Every operation of the service by method and path, typed by its OpenAPI document. Throws `StoryError`. */
export type ClientApi = Client<paths, 'application/json'>

export interface ClientOptions {
  /** Origin of the service, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** How often a GET, or a request with an Idempotency-Key, is retried after 429 or 503. Default: 2. */
  readonly retries?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch
}

type Schemas = components['schemas']
export type Article = paths['/layer0/v1/process']['post']['requestBody']['content']['application/json']
export type TokenSearch = Omit<paths['/layer0/v1/search']['get']['parameters']['query'], 'level'>
export type TokenResult = Schemas['TokenResult']
type StoriesEnrichments = Schemas['StoriesEnrichments']
type EchoResults = paths['/echo/v1/echo/search']['get']['responses'][200]['content']['application/json']

export interface StoryClient {
  readonly api: ClientApi
  /**
   * Submits an article and returns its job, which is `queued`. Pass an idempotency key if you may send the article
   * twice.
   */
  submit(article: Article, idempotencyKey?: string): Promise<Job>
  /** Polls every 500 ms, for at most 30 s, until the job is completed or failed. Throws `JobTimeout`. */
  waitForJob(jobId: string, waiting?: WaitForJobOptions): Promise<Job>
  /** Submits an article and waits for its job. */
  process(article: Article, waiting?: WaitForJobOptions): Promise<Job>
  /** Token search that returns each article once, with its nearest token. */
  searchTokens(query: TokenSearch): Promise<TokenResult[]>
  /**
   * Searches one platform or several. Throws a `TypeError` for an unknown `entity_scope` before it sends the request.
   */
  echoSearch(query: EchoSearch): Promise<EchoResults>
  /** Accepts any number of stories and sends one request per 50. */
  echoStories(ids: readonly string[], platform?: EchoPlatform): Promise<StoriesEnrichments>
  /** The live feed. Reconnects after a lost connection and yields each event once. */
  events(following?: Following): AsyncGenerator<StoryEvent, void, undefined>
}

const ECHO_IDS_AT_ONCE = 50

export function storyClient({ baseUrl, apiKey, retries = 2, fetch = globalFetch }: ClientOptions): StoryClient {
  const headers = { authorization: `Bearer ${apiKey}` }
  const api = createClient<paths, 'application/json'>({ baseUrl, headers, fetch: withRetries(fetch, retries) })
  api.use({
    onResponse: async ({ response }) => {
      if (!response.ok && response.status !== 304) throw await storyError(response)
    },
  })

  const submit: StoryClient['submit'] = async (body, idempotencyKey) => {
    const header = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
    return present((await api.POST('/layer0/v1/process', { body, params: { header } })).data)
  }
  return {
    api,
    submit,
    waitForJob: (jobId, waiting) => waitForJob(api, jobId, waiting),
    process: async (article, waiting) => waitForJob(api, (await submit(article)).job_id, waiting),
    searchTokens: async (query) => {
      const { data } = await api.GET('/layer0/v1/search', { params: { query: { ...query, level: 'token' } } })
      const found = present(data)
      return 'results_count' in found ? onePerSource(found.results) : []
    },
    echoSearch: async (query) =>
      present((await api.GET('/echo/v1/echo/search', { params: { query: echoQuery(query) } })).data),
    echoStories: (ids, platform) => echoStories(api, ids, platform),
    events: (following) => follow({ fetch, baseUrl, apiKey }, following),
  }
}

const globalFetch: Fetch = (request) => globalThis.fetch(request)

async function echoStories(
  api: ClientApi,
  ids: readonly string[],
  platform?: EchoPlatform,
): Promise<StoriesEnrichments> {
  const parts = await Promise.all(
    chunks([...new Set(ids)], ECHO_IDS_AT_ONCE).map(async (some) => {
      const query = { ids: some.join(','), ...(platform === undefined ? {} : { platform }) }
      return present((await api.GET('/echo/v1/echo/stories', { params: { query } })).data)
    }),
  )
  const missing = parts.flatMap((part) => part.missing)
  return Object.assign({}, ...parts, { missing }) as StoriesEnrichments
}

/** Error responses have already thrown in `onResponse`. */
function present<Data>(data: Data | undefined): Data {
  if (data === undefined) throw new TypeError('the service answered without a body')
  return data
}
