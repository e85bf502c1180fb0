import { SpanKind, type Attributes } from '@opentelemetry/api'
import type { Store } from '../../ports/store.ts'
import { ending, type Spans } from './spans.ts'

/** A store whose reads and inserts are spans of what they are done for: a request, or a batch of records. */
export const tracedStore = (store: Store, spans: Spans): Store => ({
  insert: async (table, rows) => {
    const attributes = {
      'db.operation.name': 'INSERT',
      'db.collection.name': table,
      'db.operation.batch.size': rows.length,
    }
    await withinSpan(spans, { name: `INSERT ${table}`, attributes }, async () => await store.insert(table, rows))
  },
  query: async (query) => {
    const attributes = { 'db.operation.name': 'SELECT', 'db.query.summary': query.name }
    return await withinSpan(spans, { name: `SELECT ${query.name}`, attributes }, async () => await store.query(query))
  },
  command: async (sql) => await store.command(sql),
  ping: async () => await store.ping(),
  close: async () => await store.close(),
})

interface SpanDetails {
  readonly name: string
  readonly attributes: Attributes
}

async function withinSpan<Result>(
  { tracer, doing }: Spans,
  { name, attributes }: SpanDetails,
  ask: () => Promise<Result>,
): Promise<Result> {
  const now = doing.getStore()
  if (now === undefined || now === null) return await ask()
  const options = {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'clickhouse', ...attributes },
    links: [...now.also],
  }
  return await ending([tracer.startSpan(name, options, now.within)], ask)
}
