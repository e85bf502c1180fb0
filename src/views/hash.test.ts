import { expect, it } from 'vitest'
import { contentOf, DERIVED, NOT_HASHED, TABLES } from './hash.ts'
import { migrations } from './migrate.ts'

it('hashes what a row says, not where and when it was written', () => {
  const columns = [
    { name: '_log_at', type: "DateTime64(3, 'UTC')" },
    { name: '_offset', type: 'UInt64' },
    { name: 'dated', type: 'Bool' },
    { name: 'event_id', type: 'String' },
    { name: 'occurred_at', type: "DateTime64(3, 'UTC')" },
    { name: 'caused_offset', type: 'Int64' },
    { name: 'country', type: 'LowCardinality(Nullable(String))' },
    { name: 'title', type: 'Nullable(String)' },
  ]

  expect(contentOf(columns)).toEqual([
    'dated',
    "if(dated, toString(occurred_at), '')",
    'isNull(country)',
    "ifNull(toString(country), '')",
    'isNull(title)',
    "ifNull(toString(title), '')",
  ])
})

it('knows every table there is', () => {
  const named = (statement: RegExp) =>
    migrations().flatMap(({ sql }) => [...sql.matchAll(statement)].map(([, name]) => name))
  const gone = named(/DROP TABLE IF EXISTS (\w+)/g)
  const there = named(/CREATE TABLE IF NOT EXISTS (\w+)/g).filter((name) => !gone.includes(name))

  expect([...Object.values(TABLES).flat(), ...NOT_HASHED, ...DERIVED].toSorted()).toEqual(there.toSorted())
})
