import { z } from 'zod'
import { isNamespace } from '../domain/intake/articles.ts'
import { MAIN_STORE, type StoreScope } from '../domain/stores.ts'
import { json } from './lifecycle.ts'

const namespace = z.string().refine(isNamespace, 'a namespace is [a-z0-9-]{3,40}')

const http = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/^[a-z]+:\/\/[^/]*@/.test(url), 'set `user` and `password` instead')

const ShardEntry = z
  .strictObject({
    url: http,
    /** Of the native protocol. Default: port 9000 of the same host, 9440 with TLS. */
    native: z
      .string()
      .regex(/^[a-zA-Z0-9._-]+:\d{1,5}$/, 'an address is HOST:PORT')
      .optional(),
  })
  .transform(({ url, native }): Shard => ({ url, native: native ?? defaultNative(new URL(url)) }))

const defaultNative = ({ hostname, protocol }: URL): string => `${hostname}:${protocol === 'https:' ? 9440 : 9000}`

const StoreEntry = z
  .strictObject({
    /** Part of the names of its consumer groups. */
    name: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'a name is [a-z][a-z0-9-]{0,30}'),
    url: http,
    user: z.string().optional(),
    password: z.string().optional(),
    database: z
      .string()
      .regex(/^[a-z_][a-z0-9_]*$/)
      .optional(),
    namespaces: z.array(namespace).min(1).optional(),
    except: z.array(namespace).min(1).optional(),
    shards: z
      .array(ShardEntry)
      .min(2)
      .refine((shards) => new Set(shards.map(({ native }) => native)).size === shards.length, 'two shards are the same')
      .refine(
        (shards) => new Set(shards.map(({ url }) => new URL(url).protocol)).size === 1,
        'shards are reached with TLS (https) or without, all alike',
      )
      .optional(),
  })
  .refine(({ namespaces, except }) => namespaces === undefined || except === undefined, {
    path: ['except'],
    message: 'cannot be combined with `namespaces`',
  })

/** `CLICKHOUSE_STORES`: a JSON array of servers. */
export const Stores = json
  .pipe(z.array(StoreEntry).min(1))
  .refine((stores) => new Set(stores.map(({ name }) => name)).size === stores.length, 'two stores have the same name')
  .refine(
    (stores) => new Set(stores.map(({ url, database }) => `${new URL(url).href} ${database}`)).size === stores.length,
    'two stores have the same server and database',
  )
  .refine(
    (stores) => stores.some(({ namespaces }) => namespaces === undefined),
    'one store at least must hold all namespaces (omit `namespaces`)',
  )

/** One ClickHouse server with a copy of the views, filled from the log by consumer groups of its own. */
export interface StoreConfig extends StoreScope {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly database: string
  readonly replicated: boolean
  /** Memory limit of one read, bytes. */
  readonly readMemoryBytes: number
  /** The servers over which the largest tables are spread (`views/shards.ts`); empty: all tables are on the store's own. */
  readonly shards: readonly Shard[]
}

/** A server with a part of the rows of the largest tables. It has the store's user and password. */
export interface Shard {
  readonly url: string
  /** Address of the native protocol, `host:port`. */
  readonly native: string
}

type StoreDefaults = Omit<StoreConfig, 'name' | 'namespaces' | 'except' | 'shards'>

/** The configured stores, or the one of `CLICKHOUSE_URL`. */
export function storesOf(set: z.output<typeof Stores> | undefined, defaults: StoreDefaults): readonly StoreConfig[] {
  if (set === undefined) return [{ ...defaults, name: MAIN_STORE, namespaces: null, except: [], shards: [] }]
  return set.map(({ name, url, user, password, database, namespaces, except, shards }) => ({
    ...defaults,
    ...{ name, url, namespaces: namespaces ?? null, except: except ?? [], shards: shards ?? [] },
    user: user ?? defaults.user,
    password: password ?? defaults.password,
    database: database ?? defaults.database,
  }))
}

interface ConfiguredStores {
  readonly stores: readonly StoreConfig[]
}

/** The stores that a command works on: the named one, or all. Throws if there is no such store. */
export function chosenStores({ stores }: ConfiguredStores, name: string | undefined): readonly StoreConfig[] {
  if (name === undefined) return stores
  const found = stores.filter((store) => store.name === name)
  if (found.length === 0) throw new Error(unknownStore(name, { stores }))
  return found
}

/** The store that a command works on, which must be named if there are several. */
export function chosenStore(config: ConfiguredStores, name: string | undefined): StoreConfig {
  const [store, ...others] = chosenStores(config, name)
  if (store !== undefined && others.length === 0) return store
  throw new Error(`there are several stores: name one by --store ${namesOf(config).join('|')}`)
}

export const unknownStore = (name: string, config: ConfiguredStores): string =>
  `unknown store ${name}: CLICKHOUSE_STORES has ${namesOf(config).join(', ')}`

const namesOf = ({ stores }: ConfiguredStores): string[] => stores.map(({ name }) => name)
