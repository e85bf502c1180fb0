import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { SpanKind, SpanStatusCode, type Attributes } from '@opentelemetry/api'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../ports/clock.ts'
import { spansOf, contextIn, contextOf, type Spans, ending } from './spans.ts'
import { tracedLog } from './traced-log.ts'

export interface TracingOptions {
  /** The OTLP/HTTP endpoint of a collector: `http://host:4318`. */
  readonly endpoint: string
  /** The service name of this process in traces. */
  readonly service: string
  readonly version: string
  /** Sampling ratio of traces that start here, 0 to 1. */
  readonly share: number
}

/** Wraps the ports so that their calls become spans of one trace, from a request to the rows that result from it. */
export interface Tracing {
  log(log: Log): Log
  store(store: Store): Store
  /** Sends the spans that are still queued. */
  close(): Promise<void>
}

/** Maximum number of queued spans: enough for a batch with a span per record. */
const QUEUE = 16_384
const SEND_EVERY_MS = 1_000

/** Sends spans to a collector in the background. Spans that it does not accept are dropped. */
export function otlpTracing({ endpoint, service, version, share }: TracingOptions, clock: Clock): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  // all processes sample the same traces, and a caller cannot force more than this share
  const ratio = new TraceIdRatioBasedSampler(share)
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': service, 'service.version': version, 'service.namespace': 'story' }),
    ),
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: QUEUE, scheduledDelayMillis: SEND_EVERY_MS })],
  })
  const spans = spansOf(provider.getTracer('story', version))
  const stop = tracedRequests(spans)
  return {
    log: (log) => tracedLog(log, spans, clock),
    store: (store) => tracedStore(store, spans),
    close: async () => {
      stop()
      await provider.shutdown()
    },
  }
}

/** Node's diagnostics channel: every HTTP server of this process publishes to it, without changes to the server. */
const STARTED = 'http.server.request.start'

/** Probes and scrapes are frequent and have no effects to trace. */
const QUIET = new Set(['/livez', '/readyz', '/health', '/metrics'])

/** Creates a span for each HTTP request. Returns a function that stops this. */
export function tracedRequests({ tracer, current: doing }: Spans): () => void {
  const started = (message: unknown): void => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse }
    const { method = '', url = '' } = request
    const [path = ''] = url.split('?')
    if (QUIET.has(path)) {
      doing.enterWith(null) // a keep-alive connection still has the context of the previous request
      return
    }
    const attributes = { 'http.request.method': method, 'url.path': path }
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, contextIn(request.headers))
    doing.enterWith({ context: contextOf(span), links: [], writes: true })
    response.once('close', () => {
      span.setAttribute('http.response.status_code', response.statusCode)
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
  }
  subscribe(STARTED, started)
  return () => {
    unsubscribe(STARTED, started)
  }
}

/** A store whose reads and inserts are spans of the request or batch that caused them. */
export const tracedStore = (store: Store, spans: Spans): Store => ({
  insert: async (table, rows) => {
    const attributes = {
      'db.operation.name': 'INSERT',
      'db.collection.name': table,
      'db.operation.batch.size': rows.length,
    }
    await withinSpan(spans, { name: `INSERT ${table}`, attributes }, () => store.insert(table, rows))
  },
  query: async (query) => {
    const attributes = { 'db.operation.name': 'SELECT', 'db.query.summary': query.name }
    return withinSpan(spans, { name: `SELECT ${query.name}`, attributes }, () => store.query(query))
  },
  command: (sql) => store.command(sql),
  ping: () => store.ping(),
  close: () => store.close(),
})

interface SpanDetails {
  readonly name: string
  readonly attributes: Attributes
}

async function withinSpan<Result>(
  { tracer, current: doing }: Spans,
  { name, attributes }: SpanDetails,
  ask: () => Promise<Result>,
): Promise<Result> {
  const now = doing.getStore()
  if (now === undefined || now === null) return ask()
  const options = {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'clickhouse', ...attributes },
    links: [...now.links],
  }
  return ending([tracer.startSpan(name, options, now.context)], ask)
}
