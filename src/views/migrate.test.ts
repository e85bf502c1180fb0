import { describe, expect, it } from 'vitest'
import { checksum, migrations, unapplied } from './migrate.ts'

const first = { name: '001-first', sql: 'CREATE TABLE IF NOT EXISTS a (x UInt8)' }
const second = { name: '002-second', sql: 'CREATE TABLE IF NOT EXISTS b (x UInt8)' }

describe('what is to be applied', () => {
  it('is what the store has not seen', () => {
    expect(unapplied([first, second], new Map([[first.name, checksum(first.sql)]]))).toEqual([second])
  })

  it('is nothing at all when an applied one was edited', () => {
    expect(() => unapplied([first, second], new Map([[first.name, checksum('older text')]]))).toThrow(
      '001-first.sql was edited after it was applied: put the old text back and add a new migration',
    )
  })
})

describe('every table', () => {
  const created = migrations().flatMap(({ sql }) => sql.split(/;\s*$/m).filter((one) => one.includes('CREATE TABLE')))
  const tables = created.filter((sql) => !/CREATE TABLE IF NOT EXISTS \w+ AS \w+$/.test(sql))

  it.each(tables.map((sql) => [/EXISTS (\w+)/.exec(sql)?.[1] ?? '', sql]))('%s', (_, sql) => {
    expect(sql).toMatch(/-- One row per [^]+Written by: [a-z.]+/)
    expect(sql).toMatch(/COMMENT 'One row per .+ Written by: [a-z.]+'/)
    expect(sql).toMatch(/ORDER BY \(namespace, /)
    expect(sql).toMatch(/CREATE TABLE IF NOT EXISTS/)
    const columns = /\(\n([^]+?)\n\)\n/.exec(sql)?.[1]?.split('\n') ?? []
    expect(columns.filter((line) => !line.includes('INDEX') && !line.includes('COMMENT'))).toEqual([])
  })
})
