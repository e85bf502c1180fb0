import { StoreUnavailable, type Row, type Store } from '../../src/ports/store.ts'

/** A store of the tests: keeps what is inserted, is away as often as it is told. */
export class RowsInMemory implements Store {
  readonly inserts: { readonly table: string; readonly rows: readonly Row[] }[] = []
  private away: number
  constructor(away = 0) {
    this.away = away
  }
  async insert(table: string, rows: readonly Row[]): Promise<void> {
    if (this.away-- > 0) throw new StoreUnavailable('away')
    this.inserts.push({ table, rows })
  }
  async query(): Promise<never> {
    throw new Error('not asked')
  }
  async command(): Promise<void> {
    throw new Error('not asked')
  }
  async ping(): Promise<boolean> {
    return true
  }
  async close(): Promise<void> {
    await Promise.resolve()
  }
}
