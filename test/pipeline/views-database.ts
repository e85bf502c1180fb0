import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { clickhouseStore } from '../../src/adapters/clickhouse/store.ts'
import type { Store } from '../../src/ports/store.ts'
import { VIEWS_DATABASE } from '../engines.ts'
import { anApi, type TestApi } from '../builders/api.ts'
import { ViewWriter } from '../builders/views.ts'

export const aNamespace = (): string => `test-${randomBytes(8).toString('hex')}`

/** The migrated database that the tests of the views share, each with its own namespaces. Call it once per file. */
export function viewsDatabase(): { readonly store: Store; readonly writer: ViewWriter } {
  const store = clickhouseStore({ ...inject('engines').clickhouse, database: VIEWS_DATABASE })
  afterAll(async () => {
    await store.close()
  })
  return { store, writer: new ViewWriter(store) }
}

export interface ViewsDatabaseHome {
  readonly namespace: string
  get(path: string): Promise<ViewsDatabaseAnswer>
}

export interface ViewsDatabaseAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly link: string | null
}

type ViewsDatabaseTier = 'starter' | 'professional'

/** An API over the database at noon of `A_DAY`; each home is a new namespace with a key. */
export function homes(store: Store): (tier?: ViewsDatabaseTier) => Promise<ViewsDatabaseHome> {
  let api: TestApi
  beforeAll(async () => {
    api = await anApi({ store })
  })
  afterAll(async () => {
    await api.stop()
  })
  return async (tier = 'starter') => {
    const namespace = aNamespace()
    const key = await api.key({ namespace, tier })
    const get = async (path: string): Promise<ViewsDatabaseAnswer> => {
      const response = await api.get(path, key)
      const body = (await response.json()) as Record<string, unknown>
      return { status: response.status, body, link: response.headers.get('link') }
    }
    return { namespace, get }
  }
}
