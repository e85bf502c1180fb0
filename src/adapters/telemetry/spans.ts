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
import type { Headers } from '../../ports/log.ts'

/** The current operation; everything below it is part of its span. */
export interface Doing {
  readonly within: Context
  /** Spans of the other traces of a batch. */
  readonly also: readonly Link[]
  /** Whether records written meanwhile result from it. */
  readonly writes: boolean
}

/** What every traced port works with. */
export interface Spans {
  readonly tracer: Tracer
  readonly doing: AsyncLocalStorage<Doing | null>
}

export const spansOf = (tracer: Tracer): Spans => ({ tracer, doing: new AsyncLocalStorage() })

/** The W3C header that carries a trace between processes. */
export const TRACEPARENT = 'traceparent'

const propagator = new W3CTraceContextPropagator()
export const contextIn = (headers: object): Context => propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)

/** Headers under which whatever reads them goes on with this span. */
export function headersOf(span: Span): Headers {
  const headers: Record<string, string> = {}
  propagator.inject(contextOf(span), headers, defaultTextMapSetter)
  return headers
}

export const contextOf = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span)

/** Ends the spans with the work and marks them if it fails. */
export async function ending<Result>(spans: readonly Span[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    for (const span of spans) span.setStatus({ code: SpanStatusCode.ERROR, message })
    throw cause
  } finally {
    for (const span of spans) span.end()
  }
}
