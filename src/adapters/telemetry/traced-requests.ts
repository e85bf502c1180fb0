import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { contextIn, contextOf, type Spans } from './spans.ts'

/** Node's own channel: every HTTP server of this process publishes there, without any change to it. */
const STARTED = 'http.server.request.start'

/** Probes and scrapes come every few seconds and lead nowhere. */
const QUIET = new Set(['/livez', '/readyz', '/health', '/metrics'])

interface TracedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Makes each request a span from now on. Returns a function that stops this. */
export function tracedRequests({ tracer, doing }: Spans): () => void {
  const started = (message: unknown): void => {
    const { request, response } = message as TracedRequest
    const { method = '', url = '' } = request
    const [path = ''] = url.split('?')
    if (QUIET.has(path)) {
      doing.enterWith(null) // a connection that is kept still has what the request before it did
      return
    }
    const attributes = { 'http.request.method': method, 'url.path': path }
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, contextIn(request.headers))
    doing.enterWith({ within: contextOf(span), also: [], writes: true })
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
