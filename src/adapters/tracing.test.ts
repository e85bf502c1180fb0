import { BatchSpanProcessor, InMemorySpanExporter, TracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  aRunning,
  anInstantClock,
  counted,
  say,
  wordCodec,
  wordsHeard,
  wordsSaid,
} from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { runMemoryStage } from '../runtime/run-memory-stage.ts'
import { runStage } from '../runtime/run-stage.ts'
import { onlyStore, runView } from '../runtime/run-view.ts'
import { emit, on, type Stage, type View } from '../runtime/shapes.ts'
import type { Store } from '../ports/store.ts'
import type { RunningWord } from '../../test/builders/running.ts'
import { MemoryLog } from './memory-log.ts'
import { openTracing } from './tracing.ts'
import { spansOf } from './telemetry/spans.ts'
import { tracedLog } from './telemetry/traced-log.ts'
import { tracedRequests, tracedStore } from './telemetry/otlp.ts'

const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

const heard: Stage<RunningWord, RunningWord> = {
  name: 'heard',
  version: '1',
  reads: wordsSaid,
  writes: wordsHeard,
  handle: async (inputs) => inputs.map(({ event }) => emit({ ...event, event_id: `heard ${event.event_id}` })),
}

const words: View = {
  name: 'words',
  projections: [on(wordsHeard, ({ event }) => [{ table: 'words', row: { ...event } }])],
}

const emptyStore: Store = {
  insert: () => Promise.resolve(),
  query: () => Promise.resolve([]),
  command: () => Promise.resolve(),
  ping: () => Promise.resolve(true),
  close: () => Promise.resolve(),
}

/** What runs here, in memory: a log and a store that tell, and what they have told. */
function aTracedRunning() {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })
  const spans = spansOf(provider.getTracer('test'))
  const clock = anInstantClock()
  const memoryLog = new MemoryLog({ now: () => clock.now() })
  const plain = aRunning({ memoryLog, clock })
  const log = tracedLog(memoryLog, spans, plain.clock)
  const running = { ...plain, log }
  ended.push(tracedRequests(spans))
  return {
    spans,
    memoryLog,
    running,
    store: tracedStore(emptyStore, spans),
    exportedSpans: async (): Promise<readonly ReadableSpan[]> => {
      await provider.forceFlush()
      return exporter.getFinishedSpans()
    },
  }
}

type Traced = ReturnType<typeof aTracedRunning>

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ended.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Says each word in a request of its own; the trace ids, in that order. */
async function sayByRequest({ running }: Traced, said: readonly string[], headers = {}): Promise<readonly string[]> {
  const server = createServer((request, response) => {
    const word = new URL(request.url ?? '', 'http://here').searchParams.get('word') ?? ''
    void say(running.log, [word]).then(() => response.end())
  })
  const url = await listening(server)
  for (const word of said) await (await fetch(`${url}/say?word=${word}`, { headers })).text()
  return running.memoryLog.records(wordsSaid.name).map((record) => record.headers['traceparent']?.split('-')[1] ?? '')
}

const names = (spans: readonly ReadableSpan[], traceId: string): readonly string[] =>
  spans
    .filter((span) => span.spanContext().traceId === traceId)
    .map(({ name }) => name)
    .sort()

async function throughAll({ running, store }: Traced, upTo: number): Promise<void> {
  const consumers = [await runStage(heard, running), await runView(words, running, onlyStore(store))]
  await vi.waitFor(async () => {
    expect(await running.log.committed('view:words', wordsHeard.name)).toEqual([upTo])
  }, soon)
  for (const consumer of consumers) await consumer.stop()
}

describe('a trace', () => {
  it('goes from a request through a stage to the rows of a view, one for each record of a batch', async () => {
    const traced = aTracedRunning()
    const traces = await sayByRequest(traced, ['one', 'two'])

    await throughAll(traced, 2)

    const exportedSpans = await traced.exportedSpans()
    expect(new Set(traces).size).toBe(2)
    for (const id of traces) {
      expect(names(exportedSpans, id)).toEqual(
        expect.arrayContaining(['GET', 'heard words.said', 'send words.said', 'view:words words.heard']),
      )
    }
    const inserts = exportedSpans.filter(({ name }) => name === 'INSERT words')
    const reached = inserts.flatMap((span) => [span.spanContext(), ...span.links.map(({ context }) => context)])
    expect(new Set(reached.map(({ traceId }) => traceId))).toEqual(new Set(traces))
  })

  it('is the parent of each step: nobody is left beside the tree', async () => {
    const traced = aTracedRunning()
    await sayByRequest(traced, ['one'])

    await throughAll(traced, 1)

    const exportedSpans = await traced.exportedSpans()
    const byId = new Map(exportedSpans.map((span) => [span.spanContext().spanId, span.name]))
    const parents = exportedSpans.map((span) => [span.name, byId.get(span.parentSpanContext?.spanId ?? '')])
    expect(Object.fromEntries(parents)).toEqual({
      GET: undefined,
      'send words.said': 'GET',
      'heard words.said': 'send words.said',
      'view:words words.heard': 'heard words.said',
      'INSERT words': 'view:words words.heard',
    })
  })

  it('goes on with the trace of the caller', async () => {
    const traced = aTracedRunning()
    const id = '0af7651916cd43dd8448eb211c80319c'

    const traces = await sayByRequest(traced, ['one'], { traceparent: `00-${id}-b7ad6b7169203331-01` })

    expect(traces).toEqual([id])
  })

  it('goes through a stage with memory, too', async () => {
    const traced = aTracedRunning()
    const [id = ''] = await sayByRequest(traced, ['one'])

    const consumer = await runMemoryStage(counted, traced.running)
    await vi.waitFor(async () => {
      expect(await traced.running.log.committed('counted', wordsSaid.name)).toEqual([1])
    }, soon)
    await consumer.stop()

    expect(traced.memoryLog.records(wordsHeard.name).map(({ headers }) => headers['traceparent'])).toEqual([
      expect.stringContaining(id),
    ])
    expect(names(await traced.exportedSpans(), id)).toContain('counted words.said')
  })

  it('is none where nobody began one', async () => {
    const traced = aTracedRunning()
    await say(traced.running.log, ['one'])

    await throughAll(traced, 1)

    expect(await traced.exportedSpans()).toEqual([])
    expect(traced.memoryLog.records(wordsHeard.name).map(({ headers }) => headers)).toEqual([{}])
  })

  it('is not told again by who reads an old log', async () => {
    const traced = aTracedRunning()
    await sayByRequest(traced, ['one'])
    await traced.running.clock.sleep(2 * 3_600_000)
    const before = (await traced.exportedSpans()).length

    await throughAll(traced, 1)

    const later = (await traced.exportedSpans()).slice(before).map(({ name }) => name)
    expect(later).toEqual(['INSERT words', 'view:words words.heard']) // what it wrote is new
  })
})

describe('without a collector', () => {
  it('leaves the ports as they are', async () => {
    const log = new MemoryLog()
    const tracing = await openTracing(null, aRunning().clock)

    expect(tracing.log(log)).toBe(log)
    expect(tracing.store(emptyStore)).toBe(emptyStore)
  })
})

describe('a collector', () => {
  it('gets spans as OTLP over HTTP, with the name of the service', async () => {
    const bodies: string[] = []
    const collector = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        bodies.push(`${request.url ?? ''} ${Buffer.concat(chunks).toString()}`)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
    })
    const endpoint = await listening(collector)
    const options = { endpoint: `${endpoint}/`, service: 'story-here', version: '1', share: 1 }
    const tracing = await openTracing(options, aRunning().clock)
    const server = createServer((_, response) => response.end())
    await (await fetch(`${await listening(server)}/asked`)).text()

    await tracing.close()

    expect(bodies.join('\n')).toContain('/v1/traces ')
    expect(bodies.join('\n')).toContain('"story-here"')
    expect(bodies.join('\n')).toContain('"/asked"')
  })
})

it('decodes nothing differently: the bytes of a record are those that were written', async () => {
  const traced = aTracedRunning()
  await sayByRequest(traced, ['one'])

  const [record] = traced.memoryLog.records(wordsSaid.name)

  expect(record?.value).toEqual(await wordCodec().encode(wordsSaid, { event_id: 'said-one', word: 'one' }))
})
