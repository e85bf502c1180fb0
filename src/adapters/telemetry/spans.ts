import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Link,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { AsyncLocalStorage } from 'node:async_hooks'
import { messageOf } from '../../domain/message-of.ts'
import type { Headers } from '../../ports/log.ts'

/** An operation that is being traced; spans created during it become its children. */
export interface TracedOperation {
  readonly context: Context
  /** Links to the spans of the other traces in the batch. */
  readonly links: readonly Link[]
  /** Whether records written during the operation result from it and carry its trace. */
  readonly writes: boolean
}

/** What every traced port needs. */
export interface Spans {
  readonly tracer: Tracer
  readonly current: AsyncLocalStorage<TracedOperation | null>
}

export const spansOf = (tracer: Tracer): Spans => ({ tracer, current: new AsyncLocalStorage() })

/** The W3C header that propagates a trace between processes. */
export const TRACEPARENT = 'traceparent'

const propagator = new W3CTraceContextPropagator()
export const contextIn = (headers: object): Context => propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)

/** Headers that let the reader of a record continue the trace of this span. */
export function headersOf(span: Span): Headers {
  const headers: Record<string, string> = {}
  propagator.inject(contextOf(span), headers, defaultTextMapSetter)
  return headers
}

export const contextOf = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span)

/** Ends the spans when the work ends, and marks them as failed if it throws. */
export async function ending<Result>(spans: readonly Span[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const message = messageOf(cause)
    for (const span of spans) span.setStatus({ code: SpanStatusCode.ERROR, message })
    throw cause
  } finally {
    for (const span of spans) span.end()
  }
}
