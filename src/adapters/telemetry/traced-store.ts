import { SpanKind, type Attributes } from '@opentelemetry/api'
import type { Store } from '../../ports/store.ts'
import { ending, type Spans } from './spans.ts'

/** A store whose reads and inserts are spans of the request or batch that causes them. */
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
  { tracer, doing }: Spans,
  { name, attributes }: SpanDetails,
  ask: () => Promise<Result>,
): Promise<Result> {
  const now = doing.getStore()
  if (now === undefined || now === null) return ask()
  const options = {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'clickhouse', ...attributes },
    links: [...now.also],
  }
  return ending([tracer.startSpan(name, options, now.within)], ask)
}
