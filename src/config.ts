import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const port = z.coerce.number().int().min(1).max(65_535)
const flag = z.enum(['0', '1']).transform((value) => value === '1')

/** Every name the environment may carry. The same names hold in compose, Kubernetes and on a laptop. */
export const Environment = z.object({
  STORY_HOME: z.string().default('.story'),
  STORY_CACHE: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.optional(),
  METRICS_PORT: port.optional(),
  KAFKA_PORT: port.optional(),
  REGISTRY_PORT: port.optional(),
  CLICKHOUSE_PORT: port.optional(),
  KAFKA_BROKERS: z.string().optional(),
  REGISTRY_URL: z.url().optional(),
  CLICKHOUSE_URL: z.url().optional(),
  CLICKHOUSE_USER: z.string().optional(),
  CLICKHOUSE_PASSWORD: z.string().optional(),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]*$/)
    .default('story'),
  CLICKHOUSE_REPLICATED: flag.default(false),
  TOPIC_PARTITIONS: z.enum(['one', 'production']).default('one'),
  ENCODER_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(Math.max(1, Math.min(2, availableParallelism()))),
  ENCODER_ENDPOINT_URL: z.url().optional(),
  ENCODER_ENDPOINT_TOKEN: z.string().optional(),
  ENCODER_ENDPOINT_MODEL: z.string().default('sentence-transformers/all-MiniLM-L6-v2'),
  ENCODER_VECTOR_CACHE: z.string().optional(),
  QUALITY_GATE: z.coerce.number().min(0).max(1).default(0.53),
  CREDIBILITY_FILE: z.string().optional(),
  CLUSTER_MEMBERS_IN_MEMORY: z.coerce.number().int().min(100).default(200_000),
  REJECT_FLOOD: z.coerce.number().int().min(0).default(50),
  REQUESTS_PER_MINUTE_STARTER: z.coerce.number().int().min(1).default(120),
  REQUESTS_PER_MINUTE_PROFESSIONAL: z.coerce.number().int().min(1).default(1_200),
  REQUESTS_PER_MINUTE_ENTERPRISE: z.coerce.number().int().min(1).default(12_000),
  SECRETS_KEY: z.string().min(32).optional(),
  FEEDS_ALLOW_PRIVATE_ADDRESSES: flag.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

/** What `story up` leaves in its home, so that `story import` and the like find the running engines. */
export const Running = z.object({
  url: z.string().optional(),
  brokers: z.array(z.string()),
  registryUrl: z.string(),
  clickhouse: z.object({ url: z.string(), user: z.string(), password: z.string(), database: z.string() }),
  secretsKey: z.string().optional(),
})
export type Running = z.infer<typeof Running>

export type Config = ReturnType<typeof loadConfig>

/**
 * The whole configuration, parsed once: the environment first, then what a running `story up` of the same home wrote,
 * then defaults. Throws one message that names every wrong variable.
 */
export function loadConfig(env: NodeJS.ProcessEnv) {
  const parsed = Environment.safeParse(withoutEmpty(env))
  if (!parsed.success) throw new Error(`Bad configuration\n${z.prettifyError(parsed.error)}`)
  const value = parsed.data
  const home = resolve(value.STORY_HOME)
  const running = readRunning(home)
  return {
    home,
    cache: resolve(value.STORY_CACHE ?? join(homedir(), '.cache', 'story-intelligence')),
    http: { host: value.HOST, port: value.PORT ?? 8080 },
    metrics: { port: value.METRICS_PORT ?? 9464 },
    /** As they were set, for `story up`: an unset port that is taken gives way, a set one is an error. */
    ports: {
      http: value.PORT,
      metrics: value.METRICS_PORT,
      kafka: value.KAFKA_PORT,
      registry: value.REGISTRY_PORT,
      clickhouse: value.CLICKHOUSE_PORT,
    },
    ...servers(value, running),
    topics: { partitions: value.TOPIC_PARTITIONS },
    encoder: {
      processes: value.ENCODER_PROCESSES,
      endpoint: endpoint(value),
      vectorCache: value.ENCODER_VECTOR_CACHE ?? null,
    },
    quality: { gate: value.QUALITY_GATE, credibilityFile: value.CREDIBILITY_FILE ?? null },
    clustered: { membersInMemory: value.CLUSTER_MEMBERS_IN_MEMORY },
    rejectFlood: value.REJECT_FLOOD,
    requestsPerMinute: {
      starter: value.REQUESTS_PER_MINUTE_STARTER,
      professional: value.REQUESTS_PER_MINUTE_PROFESSIONAL,
      enterprise: value.REQUESTS_PER_MINUTE_ENTERPRISE,
    },
    secretsKey: value.SECRETS_KEY ?? running?.secretsKey ?? null,
    feeds: { allowPrivateAddresses: value.FEEDS_ALLOW_PRIVATE_ADDRESSES },
    logLevel: value.LOG_LEVEL,
  } as const
}

type Values = z.infer<typeof Environment>

function servers(value: Values, running: Running | null) {
  return {
    kafka: { brokers: value.KAFKA_BROKERS?.split(',') ?? running?.brokers ?? ['127.0.0.1:19092'] },
    registry: { url: value.REGISTRY_URL ?? running?.registryUrl ?? 'http://127.0.0.1:8081/apis/ccompat/v7' },
    clickhouse: {
      url: value.CLICKHOUSE_URL ?? running?.clickhouse.url ?? 'http://127.0.0.1:8123',
      user: value.CLICKHOUSE_USER ?? running?.clickhouse.user ?? 'story',
      password: value.CLICKHOUSE_PASSWORD ?? running?.clickhouse.password ?? '',
      database: value.CLICKHOUSE_DATABASE,
      replicated: value.CLICKHOUSE_REPLICATED,
    },
  } as const
}

const endpoint = (value: Values) =>
  value.ENCODER_ENDPOINT_URL === undefined
    ? null
    : {
        url: value.ENCODER_ENDPOINT_URL,
        token: value.ENCODER_ENDPOINT_TOKEN ?? null,
        model: value.ENCODER_ENDPOINT_MODEL,
      }

/** `running.json` of the home, or null where nothing runs (or ran) there. */
export function readRunning(home: string): Running | null {
  const file = join(home, 'running.json')
  return existsSync(file) ? Running.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
}

const withoutEmpty = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
