import { expect, it } from 'vitest'
import { StoryError, storyClient, type StoryEvent } from './index.ts'

const line = (n: number): string =>
  `id: cursor-${n}\nevent: cluster.grown\ndata: ${JSON.stringify({ id: `evt_${n}`, type: 'cluster.grown', occurred_at: '2018-12-31T00:00:00.000Z', data: { cluster_id: 'sto_a' } })}\n\n`

type FeedConnection = { readonly text: string } | { readonly status: number; readonly body: object }

/** A stream that sends the text in chunks of three bytes and then breaks. */
function broken(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) controller.error(new TypeError('terminated'))
      else controller.enqueue(bytes.slice(at, (at += 3)))
    },
  })
}

function aFeed(...connections: readonly FeedConnection[]) {
  const calls: Request[] = []
  const fetch = async (request: Request): Promise<Response> => {
    const connection = connections[calls.length] ?? { status: 403, body: { code: 'tier_restricted', detail: 'over' } }
    calls.push(request)
    return 'text' in connection
      ? new Response(broken(connection.text), { headers: { 'content-type': 'text/event-stream' } })
      : new Response(JSON.stringify(connection.body), { status: connection.status, headers: { 'retry-after': '0' } })
  }
  return { calls, client: storyClient({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'pk_live_x', fetch }) }
}

async function all(events: AsyncGenerator<StoryEvent>): Promise<{ seen: StoryEvent[]; end: unknown }> {
  const seen: StoryEvent[] = []
  try {
    for await (const event of events) seen.push(event)
  } catch (end) {
    return { seen, end }
  }
  return { seen, end: null }
}

it('takes a lost connection up again where it was, and tells each event once', async () => {
  const { client, calls } = aFeed(
    { text: line(1) + line(2) },
    { status: 503, body: { code: 'unavailable', detail: 'later' } },
    { text: line(2) + line(3) },
  )

  const { seen, end } = await all(client.events({ types: ['cluster.grown', 'cluster.merged'], cursor: 'cursor-0' }))

  expect(seen.map(({ id, cursor }) => [id, cursor])).toEqual([1, 2, 3].map((n) => [`evt_${n}`, `cursor-${n}`]))
  expect(calls.map(({ headers }) => headers.get('last-event-id'))).toEqual([
    'cursor-0',
    'cursor-2',
    'cursor-2',
    'cursor-3',
  ])
  expect(new URL(calls[0]?.url ?? '').searchParams.get('types')).toBe('cluster.grown,cluster.merged')
  expect(end).toBeInstanceOf(StoryError)
})

it('goes on from an id that came without an event', async () => {
  const { client, calls } = aFeed({ text: `id: cursor-0\n\n${line(1)}: alive\nid: cursor-9\n\n` })

  await all(client.events())

  expect(calls[1]?.headers.get('last-event-id')).toBe('cursor-9')
})

it('waits a little when a stream ends in good order, and asks below the base address', async () => {
  const calls: [string, number][] = []
  const stop = new AbortController()
  const fetch = async (request: Request): Promise<Response> => {
    calls.push([request.url, performance.now()])
    if (calls.length === 2) stop.abort()
    return new Response(line(calls.length))
  }

  const client = storyClient({ baseUrl: 'http://127.0.0.1:8080/news/', apiKey: 'pk_live_x', fetch })
  await all(client.events({ signal: stop.signal }))

  const [[url, first] = ['', 0], [, second] = ['', 0]] = calls
  expect(url).toBe('http://127.0.0.1:8080/news/v1/events')
  expect(second - first).toBeGreaterThan(200)
})

it('says when the cursor is too old: trying again does not mend that', async () => {
  const { client, calls } = aFeed({ status: 410, body: { code: 'cursor_expired', detail: 'begin again' } })

  const { end } = await all(client.events({ cursor: 'old' }))

  expect(end).toMatchObject({ status: 410, code: 'cursor_expired' })
  expect(calls).toHaveLength(1)
})

it('ends when its caller says so, and lets go of the connection', async () => {
  const stop = new AbortController()
  const { client, calls } = aFeed({ text: line(1) })

  const seen: string[] = []
  for await (const { id } of client.events({ signal: stop.signal })) {
    seen.push(id)
    stop.abort()
  }

  expect(seen).toEqual(['evt_1'])
  expect(calls[0]?.signal.aborted).toBe(true)
})
