import { expect, it } from 'vitest'
import { pipeline } from '../../pipeline.ts'
import { migrations } from '../../views/migrate.ts'
import { NOT_HASHED, TABLES } from '../../views/hash.ts'
import { REBUILT, REBUILT_VIEWS } from './rebuilt-tables.ts'

const rebuilt = REBUILT_VIEWS.flatMap((view) => REBUILT[view])

it('rebuilds every view of the pipeline, every table of it, and none twice', () => {
  expect([...REBUILT_VIEWS].sort()).toEqual(pipeline.views.map(({ name }) => name).sort())
  expect(rebuilt.map(({ table }) => table).sort()).toEqual([...Object.values(TABLES).flat(), ...NOT_HASHED].sort())
})

it.each(Object.entries(TABLES))('rebuilds the tables of %s with the view whose hash they belong to', (view, tables) => {
  const own = REBUILT[view as keyof typeof TABLES].map(({ table }) => table)
  expect(own).toEqual(expect.arrayContaining([...tables]))
})

it('makes each table of the topic that its comment names', () => {
  const named = new Map(
    migrations()
      .flatMap(({ sql }) => sql.split('CREATE TABLE IF NOT EXISTS ').slice(1))
      .map((made) => [
        /^\w+/.exec(made)?.[0],
        /^COMMENT '.*Written by: ([a-z.]+)/m.exec(made)?.[1]?.replace(/\.$/, ''),
      ]),
  )

  expect(rebuilt.map(({ table }) => [table, named.get(table)])).toEqual(
    rebuilt.map(({ table, topic }) => [table, topic]),
  )
})

it('names for each view the topics that its projections read', () => {
  for (const { name, projections } of pipeline.views) {
    const read = projections.map(({ reads, dead }) => (dead ? `${reads.name}.dead` : reads.name))
    expect(new Set(REBUILT[name as keyof typeof REBUILT].map(({ topic }) => topic))).toEqual(new Set(read))
  }
})
