import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { storyError, StoryError } from './errors.ts'
import { wait, type Fetch } from './transport.ts'

/** One event of the feed. `id` is the same in every delivery of it; `cursor` resumes the feed after it. */
export interface StoryEvent {
  readonly id: string
  readonly type: string
  readonly occurred_at: string
  readonly data: Readonly<Record<string, unknown>>
  readonly cursor: string
}

export interface Following {
  /** Event types to receive. Default: all. */
  readonly types?: readonly string[]
  /** The `cursor` of the last event that was processed. Default: start from now. */
  readonly cursor?: string
  readonly signal?: AbortSignal
}

type Message = Pick<EventSourceMessage, 'id' | 'data'>

interface FeedSource {
  readonly fetch: Fetch
  readonly baseUrl: string
  readonly apiKey: string
}

/** The service sends at least a heartbeat every 15 s. After three missed heartbeats the connection counts as lost. */
const SILENCE_MS = 45_000
const MAX_PAUSE_MS = 30_000
/** Event ids kept for de-duplication. Repeated events follow each other closely, so the most recent ids are enough. */
const MAX_RECENT_IDS = 10_000

/**
 * Follows the feed over SSE without end: reconnects from the last cursor and yields each event once. Ends when the
 * signal aborts. Throws `StoryError` for errors that a retry cannot fix: 401, 403, 422, and 410 `cursor_expired`.
 */
export async function* follow(
  source: FeedSource,
  options: Following = {},
): AsyncGenerator<StoryEvent, void, undefined> {
  const seen = new Recent()
  let position = options
  const pause = new FeedPause()
  while (!isAborted(options.signal)) {
    try {
      for await (const message of messages(source, position)) {
        pause.reset()
        position = after(position, message)
        const event = seen.ifNew(eventOf(message))
        if (event !== null) yield event
      }
    } catch (cause) {
      if (!isAborted(options.signal) && isPermanent(cause)) throw cause
      pause.failed(cause)
    }
    await wait(pause.ms(), options.signal).catch(() => undefined)
  }
}

const after = (at: Following, { id }: Message): Following => (id === undefined ? at : { ...at, cursor: id })

const isPermanent = (cause: unknown): boolean =>
  cause instanceof StoryError && cause.status !== 429 && cause.status < 500

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

/** Exponential back-off with jitter. A stream that ended without an error is also reopened after a short pause. */
class FeedPause {
  private failures = 0
  private retryAfterMs = 0

  reset(): void {
    this.failures = 0
    this.retryAfterMs = 0
  }

  failed(cause: unknown): void {
    this.failures += 1
    this.retryAfterMs = cause instanceof StoryError ? (cause.retryAfterSeconds ?? 0) * 1_000 : 0
  }

  ms(): number {
    const backoff = Math.min(500 * 2 ** Math.min(this.failures, 10), MAX_PAUSE_MS)
    return Math.max(this.retryAfterMs, backoff * (0.5 + Math.random() / 2))
  }
}

/**
 * Messages of one connection until it ends, including ids without an event. Throws if the connection is refused or
 * lost.
 */
async function* messages(source: FeedSource, following: Following): AsyncGenerator<Message> {
  const silent = new AbortController()
  let timer = setTimeout(() => silent.abort(), SILENCE_MS)
  try {
    const response = await source.fetch(requestOf(source, following, silent.signal))
    if (!response.ok || response.body === null) throw await storyError(response)

    const parsed: Message[] = []
    const parser = createParser({ onEvent: (event) => parsed.push(event) })
    let rest = ''
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), SILENCE_MS)
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) parser.feed(`${withData(block)}\n\n`)
      yield* parsed.splice(0)
    }
  } finally {
    clearTimeout(timer)
    silent.abort() // a consumer that stops reading early releases the connection
  }
}

function requestOf(
  { baseUrl, apiKey }: FeedSource,
  { types, cursor, signal }: Following,
  silent: AbortSignal,
): Request {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/v1/events`)
  if (types !== undefined) url.searchParams.set('types', types.join(','))
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${apiKey}`,
    ...(cursor === undefined ? {} : { 'last-event-id': cursor }),
  }
  return new Request(url, { headers, signal: signal === undefined ? silent : AbortSignal.any([signal, silent]) })
}

/**
 * A block with only an id moves the cursor. SSE parsers emit an event only if the block has data, so empty data is
 * added.
 */
const withData = (block: string): string => (/^id:/m.test(block) && !/^data/m.test(block) ? `data\n${block}` : block)

function eventOf({ id, data }: Message): StoryEvent | null {
  if (data === '') return null
  const event = JSON.parse(data) as Omit<StoryEvent, 'cursor'>
  return { ...event, cursor: id ?? '' }
}

/** Recent event ids; the oldest are evicted. */
class Recent {
  private readonly ids = new Set<string>()

  /** `null` for a repeated event or a message without an event. */
  ifNew(event: StoryEvent | null): StoryEvent | null {
    if (event === null || this.ids.has(event.id)) return null
    this.ids.add(event.id)
    const [oldest] = this.ids
    if (this.ids.size > MAX_RECENT_IDS && oldest !== undefined) this.ids.delete(oldest)
    return event
  }
}
