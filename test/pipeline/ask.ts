import { z } from 'zod'
import type { StoryService } from './story.ts'
import { until } from './until.ts'

export interface AskAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** A caller of a running service with its key. */
export interface AskCaller {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<AskAnswer>
  /** A string body is sent unchanged. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<AskAnswer>
  /** The final status of a submitted job. */
  ended(job_id: string): Promise<Readonly<Record<string, unknown>>>
  /** Submits one article, waits until it is completed, and returns its id. */
  submit(text: string, metadata?: Readonly<Record<string, unknown>>): Promise<string>
}

interface SentRequest {
  readonly method?: string
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
}

const Ids = z.object({ job_id: z.string(), article_id: z.string() })
const Body = z.record(z.string(), z.unknown())

export function caller(url: string, key: string | null): AskCaller {
  const request = async (path: string, { headers, ...init }: SentRequest): Promise<AskAnswer> => {
    const auth: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
    const response = await fetch(url + path, { ...init, headers: { ...auth, ...headers } })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : Body.parse(JSON.parse(text)) }
  }
  const get: AskCaller['get'] = (path, headers = {}) => request(path, { headers })
  const post: AskCaller['post'] = (path, body, headers = {}) =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const ended: AskCaller['ended'] = (job_id) =>
    until(`job ${job_id} ends`, async () => {
      const { body } = await get(`/layer0/v1/status/${job_id}`)
      return body['status'] === 'completed' || body['status'] === 'failed' ? body : null
    })
  return {
    get,
    post,
    ended,
    submit: async (text, metadata = {}) => {
      const { status, body } = await post('/layer0/v1/process', { text, metadata })
      if (status !== 202) throw new Error(`not accepted: ${JSON.stringify(body)}`)
      const { job_id, article_id } = Ids.parse(body)
      const end = await ended(job_id)
      if (end['status'] !== 'completed') throw new Error(`not completed: ${JSON.stringify(end)}`)
      return article_id
    },
  }
}

/** A caller with a new key, known to the service. */
export async function newCaller(story: StoryService, ...wish: readonly string[]): Promise<AskCaller> {
  const made = await story.cli('keys', 'create', '--tier', 'enterprise', '--json', ...wish)
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(made))
  const one = caller(story.url, key)
  await until('the key is known', async () => ((await one.get('/v1/clusters')).status === 200 ? true : null))
  return one
}
