import type { Mutant } from './mutant.ts'

const TABLE = 'src/state/disk-table.ts'
const HELD = 'src/runtime/held-memory.ts'
const STAGE = 'src/stages/clustered/stage.ts'
const ROWS = 'src/runtime/disk-table.test.ts'
const EVICTED = 'src/stages/clustered/memory.test.ts'

/** Mistakes of tables: rows that are not found, found too early, or forgotten. */
export const tableMutants: readonly Mutant[] = [
  {
    name: 'row-not-found-before-it-is-copied',
    file: HELD,
    find: `  held.table?.set(rows)\n`,
    replace: ``,
    caughtBy: { file: ROWS, test: 'a stage with a table and a disk finds what is not in memory' },
  },
  {
    name: 'row-not-written',
    file: 'src/runtime/run-memory-stage.ts',
    find: `      ...rows.map(async (row) => {`,
    replace: `      ...rows.slice(1).map(async (row) => {`,
    caughtBy: { file: ROWS, test: 'a stage with a table and a disk finds what is not in memory' },
  },
  {
    name: 'rows-dropped-before-the-copy-has-them',
    file: TABLE,
    find: `copy.offset >= this.older.until`,
    replace: `copy.offset >= 0`,
    caughtBy: { file: ROWS, test: 'keeps only rows in memory that its copy may lack' },
  },
  {
    name: 'lookup-in-a-copy-that-is-not-filled',
    file: TABLE,
    find: `    await this.complete\n    const { copy } = this.opened`,
    replace: `    const { copy } = this.opened`,
    caughtBy: { file: ROWS, test: 'a lookup waits' },
  },
  {
    name: 'table-filled-before-the-state-is-used',
    file: HELD,
    find: `    table = await openTable(stage, partition, ports)\n`,
    replace: `    table = await openTable(stage, partition, ports)\n    await table?.complete\n`,
    caughtBy: { file: ROWS, test: 'decides what needs no row while the copy of a table is filled' },
  },
  {
    name: 'evicted-article-is-new',
    file: STAGE,
    find: `    rows: evicted.rows,\n`,
    replace: ``,
    caughtBy: { file: EVICTED, test: 'an article that was evicted stays in its story' },
  },
  {
    name: 'evicted-article-forgets-its-revision',
    file: STAGE,
    find: `rows: [{ ...row, seen: [...row.seen, article.content_hash] }]`,
    replace: `rows: [row]`,
    caughtBy: { file: EVICTED, test: 'an article that was evicted stays in its story' },
  },
]
