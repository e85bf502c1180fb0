import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { storyError, StoryError } from './errors.ts'
import { wait, type Fetch } from './transport.ts'

/** One line of the feed. `id` is the same however often it is delivered; `cursor` is where to go on after it. */
export interface StoryEvent {
  readonly id: string
  readonly type: string
  readonly occurred_at: string
  readonly data: Readonly<Record<string, unknown>>
  readonly cursor: string
}

export interface Following {
  /** Only these; all where nothing is said. */
  readonly types?: readonly string[]
  /** Where to go on: the `cursor` of the last event that was dealt with. Left out: from now. */
  readonly cursor?: string
  readonly signal?: AbortSignal
}

type Message = Pick<EventSourceMessage, 'id' | 'data'>

interface FeedSource {
  readonly fetch: Fetch
  readonly baseUrl: string
  readonly apiKey: string
}

/** The service says something every 15 s: who hears nothing for three times that has lost the connection. */
const SILENCE_MS = 45_000
const LONGEST_PAUSE_MS = 30_000
/** Repeated events follow each other closely: so many ids are remembered. */
const REMEMBERED = 10_000

/**
 * The feed over SSE, for ever: it takes the connection up again where it was lost, and yields each event once. Ends when the
 * signal aborts; throws `StoryError` for what trying again does not mend: 401, 403, 422, and 410 `cursor_expired`.
 */
export async function* follow(
  source: FeedSource,
  options: Following = {},
): AsyncGenerator<StoryEvent, void, undefined> {
  const seen = new Recent()
  let at = options
  const pause = new FeedPause()
  while (!ended(options.signal)) {
    try {
      for await (const message of messages(source, at)) {
        pause.heard()
        at = after(at, message)
        const event = seen.ifNew(eventOf(message))
        if (event !== null) yield event
      }
    } catch (cause) {
      if (!ended(options.signal) && isForGood(cause)) throw cause
      pause.failed(cause)
    }
    await wait(pause.ms(), options.signal).catch(() => undefined)
  }
}

const after = (at: Following, { id }: Message): Following => (id === undefined ? at : { ...at, cursor: id })

const isForGood = (cause: unknown): boolean => cause instanceof StoryError && cause.status !== 429 && cause.status < 500

const ended = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

/** Each next wait is about twice as long; a stream that ended in good order is asked for again after a short one, too. */
class FeedPause {
  private failures = 0
  private attempts = 0

  heard(): void {
    this.failures = 0
    this.attempts = 0
  }

  failed(cause: unknown): void {
    this.failures += 1
    this.attempts = cause instanceof StoryError ? (cause.retryAfterSeconds ?? 0) * 1_000 : 0
  }

  ms(): number {
    const backoff = Math.min(500 * 2 ** Math.min(this.failures, 10), LONGEST_PAUSE_MS)
    return Math.max(this.attempts, backoff * (0.5 + Math.random() / 2))
  }
}

/** Messages of one connection, until it ends; ids without an event come too. Throws when it is refused or lost. */
async function* messages(source: FeedSource, following: Following): AsyncGenerator<Message> {
  const silent = new AbortController()
  let timer = setTimeout(() => silent.abort(), SILENCE_MS)
  try {
    const response = await source.fetch(requestOf(source, following, silent.signal))
    if (!response.ok || response.body === null) throw await storyError(response)

    const waiting: Message[] = []
    const parser = createParser({ onEvent: (event) => waiting.push(event) })
    let rest = ''
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), SILENCE_MS)
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) parser.feed(`${heard(block)}\n\n`)
      yield* waiting.splice(0)
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

/** A block of an id alone says where to go on; parsers keep it to themselves unless it has data, too. */
const heard = (block: string): string => (/^id:/m.test(block) && !/^data/m.test(block) ? `data\n${block}` : block)

function eventOf({ id, data }: Message): StoryEvent | null {
  if (data === '') return null
  const event = JSON.parse(data) as Omit<StoryEvent, 'cursor'>
  return { ...event, cursor: id ?? '' }
}

/** Recent ids; the oldest are forgotten. */
class Recent {
  private readonly ids = new Set<string>()

  /** Null: a repeat, or no event. */
  ifNew(event: StoryEvent | null): StoryEvent | null {
    if (event === null || this.ids.has(event.id)) return null
    this.ids.add(event.id)
    const [oldest] = this.ids
    if (this.ids.size > REMEMBERED && oldest !== undefined) this.ids.delete(oldest)
    return event
  }
}
