import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Clock } from '../../ports/clock.ts'
import { spansOf } from './spans.ts'
import { tracedLog } from './traced-log.ts'
import { tracedRequests } from './traced-requests.ts'
import { tracedStore } from './traced-store.ts'
import type { Tracing, TracingOptions } from './tracing.ts'

/** A large batch has a span for each of its records. */
const QUEUE = 16_384
const SEND_EVERY_MS = 1_000

/** Sends spans to a collector; spans that it does not accept are dropped, and nothing waits for it. */
export function otlpTracing({ endpoint, service, version, share }: TracingOptions, clock: Clock): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  // the same trace is in everywhere or nowhere, and a caller cannot make us record more than our share
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
