import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { kafka, kafkaVariables, registry } from './kafka.ts'
import { topicPartitions, topicSuffix } from './topics.ts'
import { json, Lifecycle } from './lifecycle.ts'
import { mailSettings, mailVariables } from './mail.ts'
import { platformSettings, platformVariables } from './platforms.ts'
import { readSettings } from './settings-file.ts'
import { Stores, storesOf } from './stores.ts'
import { isNamespace } from '../domain/intake/articles.ts'

const DEFAULT_PORT = 8080
const port = z.coerce.number().int().min(1).max(65_535)
const words = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '')
const namespace = z.string().refine(isNamespace, 'a namespace is [a-z0-9-]{3,40}')
const origin = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url === new URL(url).origin, 'expected https://host[:port]')
const flag = z.enum(['0', '1']).transform((value) => value === '1')

/** All supported environment variables. Names are the same in Compose, Kubernetes and local runs. */
export const Environment = z.object({
  STORY_HOME: z.string().default('.story'),
  STORY_CACHE: z.string().default(join(homedir(), '.cache', 'story-intelligence')),
  STATE_FOLDER: z.string().optional(),
  SAMPLE_AT: z.iso.datetime().optional(),
  FIRST_KEY_NAME: z.string().max(80).default('demo'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.optional(),
  METRICS_PORT: port.optional(),
  STORY_URL: z.url({ protocol: /^https?$/ }).optional(),
  STORY_KEY: z.string().optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  KAFKA_PORT: port.optional(),
  REGISTRY_PORT: port.optional(),
  CLICKHOUSE_PORT: port.optional(),
  ...kafkaVariables,
  CLICKHOUSE_URL: z.url().default('http://127.0.0.1:8123'),
  CLICKHOUSE_USER: z.string().default('story'),
  CLICKHOUSE_PASSWORD: z.string().default(''),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]*$/)
    .default('story'),
  CLICKHOUSE_STORES: Stores.optional(),
  CLICKHOUSE_REPLICATED: flag.default(false),
  CLICKHOUSE_READ_MEMORY_MB: z.coerce.number().int().min(100).default(750),
  TOPIC_PARTITIONS: topicPartitions.default('one'),
  TOPIC_SUFFIX: topicSuffix.default(''),
  ENCODER_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(Math.max(1, Math.min(2, availableParallelism()))),
  LANGUAGES: z.enum(['all', 'en']).default('all'),
  ENCODER_ENDPOINT_URL: z.url().optional(),
  ENCODER_ENDPOINT_TOKEN: z.string().optional(),
  ENCODER_ENDPOINT_MODEL: z.string().default('sentence-transformers/all-MiniLM-L6-v2'),
  SENTIMENT_ENDPOINT_URL: z.url().optional(),
  SENTIMENT_ENDPOINT_TOKEN: z.string().optional(),
  SENTIMENT_ENDPOINT_MODEL: z.string().default('cardiffnlp/twitter-roberta-base-sentiment-latest'),
  TAGGER_ENDPOINT_URL: z.url().optional(),
  TAGGER_ENDPOINT_TOKEN: z.string().optional(),
  TAGGER_ENDPOINT_MODEL: z.string().default('dslim/bert-base-NER'),
  ENCODER_VECTOR_CACHE: z.string().optional(),
  QUALITY_GATE: z.coerce.number().min(0).max(1).default(0.53),
  CREDIBILITY_FILE: z.string().optional(),
  CLUSTER_MEMBERS_IN_MEMORY: z.coerce.number().int().min(100).default(200_000),
  CLUSTER_TEXTS_IN_MEMORY: z.coerce.number().int().min(100).default(40_000),
  DETECTED_ARTICLES_IN_MEMORY: z.coerce.number().int().min(100).default(200_000),
  STAGE_PROCESSES: z.coerce.number().int().min(1).max(1_000).default(1),
  LIFECYCLE: json.pipe(Lifecycle).prefault('{}'),
  GRAPH_READS_DURING_BUILD: z.enum(['answer', 'refuse']).default('answer'),
  STANDBY_REPLICAS: z.coerce.number().int().min(0).max(5).default(1),
  REJECT_FLOOD: z.coerce.number().int().min(0).default(50),
  REQUESTS_PER_MINUTE_STARTER: z.coerce.number().int().min(1).default(120),
  REQUESTS_PER_MINUTE_PROFESSIONAL: z.coerce.number().int().min(1).default(1_200),
  REQUESTS_PER_MINUTE_ENTERPRISE: z.coerce.number().int().min(1).default(12_000),
  SECRETS_KEY: z.string().min(32).optional(),
  RESPONSE_CACHE_MB: z.coerce.number().int().min(0).max(16_384).default(64),
  REQUEST_BODIES_MB: z.coerce.number().int().min(8).max(16_384).default(96),
  REQUEST_BODIES_MB_PER_KEY: z.coerce.number().int().min(1).max(16_384).default(32),
  REQUEST_BODY_SECONDS: z.coerce.number().min(1).max(120).default(30),
  KEEP_ALIVE_SECONDS: z.coerce.number().min(1).max(3_600).default(75),
  DRAIN_SECONDS: z.coerce.number().min(0).max(10).default(1),
  CORS_ORIGINS: z.string().default('').transform(words).pipe(z.array(origin)),
  WEBHOOKS_ALLOW_LOOPBACK: flag.default(false),
  WEBHOOKS_PER_NAMESPACE: z.coerce.number().int().min(1).max(100_000).default(1_000),
  MONITORS_PER_NAMESPACE: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  WEBHOOKS_RETRY_SECONDS: z
    .string()
    .default('0,5,300,1800,7200,18000,36000,50400,72000,86400')
    .transform(words)
    .pipe(z.array(z.coerce.number<string>().min(0).max(604_800)).min(1).max(20)),
  FEEDS_ALLOW_PRIVATE_ADDRESSES: flag.default(false),
  FEEDS_PER_NAMESPACE: z.coerce.number().int().min(1).max(100_000).default(2_000),
  FEEDS_HOST_DELAY_SECONDS: z.coerce.number().min(0).max(60).default(1),
  FEEDS_CONTACT: z
    .string()
    .max(200)
    .regex(/^[!-~]+$/, 'a URL or an e-mail address')
    .optional(),
  CONNECTOR_NAMESPACES: z.string().default('shared').transform(words).pipe(z.array(namespace).min(1)),
  CONNECTOR_STORIES: z.coerce.number().int().min(1).max(1_000).default(50),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  ...mailVariables,
  POST_TEXT_DAYS: z.coerce.number().positive().max(7).default(7),
  ...platformVariables,
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().default('story'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Variable = keyof typeof Environment.shape

/**
 * Variables in the `running.json` of a home, written by its running `story up` (brokers, URLs, password), so that
 * commands such as `story import` find its engines. The environment takes precedence.
 */
const RunningConfig = z.partialRecord(Environment.keyof(), z.string())
export type RunningConfig = z.infer<typeof RunningConfig>

/** The rest of the file: the variables that `story up` was started with, secrets masked. */
const RunningFile = z.looseObject({ settings: z.record(z.string(), z.string()).default({}) })

export const runningFile = (home: string): string => join(home, 'running.json')

export type Config = ReturnType<typeof loadConfig>

/**
 * The whole configuration, parsed once. Precedence: the environment, a running `story up` of the home, the home's
 * `settings.env`, defaults. Throws one error that names every invalid variable.
 */
export function loadConfig(env: NodeJS.ProcessEnv) {
  const { set, file, home } = sources(env)
  const parsed = Environment.safeParse({ ...file, ...readRunning(home).addresses, ...set })
  if (!parsed.success) throw new Error(`Bad configuration\n${z.prettifyError(parsed.error)}`)
  const value = parsed.data
  return {
    home,
    cache: resolve(value.STORY_CACHE),
    stateFolder: stateFolder(value.STATE_FOLDER, home),
    http: http(value),
    metrics: { host: value.METRICS_HOST, port: value.METRICS_PORT ?? 9464 },
    kafka: kafka(value),
    registry: registry(value),
    stores: storesOf(value.CLICKHOUSE_STORES, clickhouse(value)),
    topics: { partitions: value.TOPIC_PARTITIONS },
    encoder: {
      processes: value.ENCODER_PROCESSES,
      endpoint: endpoint(value.ENCODER_ENDPOINT_URL, value.ENCODER_ENDPOINT_TOKEN, value.ENCODER_ENDPOINT_MODEL),
      vectorCache: value.ENCODER_VECTOR_CACHE,
    },
    languages: value.LANGUAGES,
    sentiment: sentiment(value),
    tagger: tagger(value),
    quality: { gate: value.QUALITY_GATE, credibilityFile: value.CREDIBILITY_FILE },
    clustered: { membersInMemory: value.CLUSTER_MEMBERS_IN_MEMORY, textsInMemory: value.CLUSTER_TEXTS_IN_MEMORY },
    detected: { articlesInMemory: value.DETECTED_ARTICLES_IN_MEMORY },
    stages: { processes: value.STAGE_PROCESSES },
    lifecycle: value.LIFECYCLE,
    graph: { readsDuringBuild: value.GRAPH_READS_DURING_BUILD },
    standbyReplicas: value.STANDBY_REPLICAS,
    rejectFlood: value.REJECT_FLOOD,
    requestsPerMinute: requestsPerMinute(value),
    secretsKey: value.SECRETS_KEY,
    /** The time that the dates of the imported sample are relative to; `null` without a sample. */
    sampleAt: value.SAMPLE_AT ?? null,
    /** Name of the key that `story up` creates at its first start; `null`: it creates none. */
    firstKeyName: value.FIRST_KEY_NAME === 'off' ? null : value.FIRST_KEY_NAME,
    /** Origins whose pages may call the API from a browser (CORS); empty allows none. */
    corsOrigins: value.CORS_ORIGINS,
    /** The service that `story mcp` connects to. */
    client: { url: value.STORY_URL, secretKey: value.STORY_KEY },
    webhooks: webhooks(value),
    monitors: monitors(value),
    mail: mailSettings(value),
    connectors: connectors(value),
    postTextMs: value.POST_TEXT_DAYS * 86_400_000,
    feeds: feeds(value),
    tracing: tracing(value),
    logLevel: value.LOG_LEVEL,
    /**
     * Ports that were set explicitly, for `story up`: if a set port is in use, that is an error; an unset one is
     * replaced.
     */
    setPorts: setPorts({ ...file, ...set }),
  } as const
}

type Parsed = z.output<typeof Environment>

const requestsPerMinute = (value: Parsed) => ({
  starter: value.REQUESTS_PER_MINUTE_STARTER,
  professional: value.REQUESTS_PER_MINUTE_PROFESSIONAL,
  enterprise: value.REQUESTS_PER_MINUTE_ENTERPRISE,
})

const feeds = (value: Parsed) => ({
  allowPrivateAddresses: value.FEEDS_ALLOW_PRIVATE_ADDRESSES,
  perNamespace: value.FEEDS_PER_NAMESPACE,
  hostDelayMs: value.FEEDS_HOST_DELAY_SECONDS * 1000,
  contact: value.FEEDS_CONTACT ?? null,
})

const sentiment = (value: Parsed) => ({
  endpoint: endpoint(value.SENTIMENT_ENDPOINT_URL, value.SENTIMENT_ENDPOINT_TOKEN, value.SENTIMENT_ENDPOINT_MODEL),
})

const tagger = (value: Parsed) => ({
  endpoint: endpoint(value.TAGGER_ENDPOINT_URL, value.TAGGER_ENDPOINT_TOKEN, value.TAGGER_ENDPOINT_MODEL),
})

/** `null`: no local copies of changelogs. */
const stateFolder = (set: string | undefined, home: string): string | null =>
  set === 'off' ? null : resolve(set ?? join(home, 'state'))

const http = (value: Parsed) => ({
  host: value.HOST,
  port: value.PORT ?? DEFAULT_PORT,
  /** Where readers of messages reach the API and the dashboard, without a trailing slash. */
  publicUrl: (value.PUBLIC_URL ?? `http://127.0.0.1:${value.PORT ?? DEFAULT_PORT}`).replace(/\/+$/, ''),
  cacheBytes: value.RESPONSE_CACHE_MB * 1024 * 1024,
  drainMs: value.DRAIN_SECONDS * 1_000,
  keepAliveMs: value.KEEP_ALIVE_SECONDS * 1_000,
  bodyLimits: {
    bytes: value.REQUEST_BODIES_MB * 1024 * 1024,
    bytesOfOne: value.REQUEST_BODIES_MB_PER_KEY * 1024 * 1024,
    deadlineMs: value.REQUEST_BODY_SECONDS * 1_000,
  },
})

const webhooks = (value: Parsed) => ({
  /** For development only: allows receivers on this machine, also over plain HTTP. */
  allowLoopback: value.WEBHOOKS_ALLOW_LOOPBACK,
  perNamespace: value.WEBHOOKS_PER_NAMESPACE,
  /** Wait before each attempt, including the first; the number of entries is the number of attempts. */
  retryMs: value.WEBHOOKS_RETRY_SECONDS.map((seconds) => seconds * 1_000),
})

const monitors = (value: Parsed) => ({ perNamespace: value.MONITORS_PER_NAMESPACE })

const clickhouse = (value: Parsed) => ({
  url: value.CLICKHOUSE_URL,
  user: value.CLICKHOUSE_USER,
  password: value.CLICKHOUSE_PASSWORD,
  database: value.CLICKHOUSE_DATABASE,
  replicated: value.CLICKHOUSE_REPLICATED,
  readMemoryBytes: value.CLICKHOUSE_READ_MEMORY_MB * 1_000_000,
})

/** `null` if no collector is configured, so that tracing is off. */
const tracing = (value: Parsed) =>
  value.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? null
    : {
        endpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT,
        service: value.OTEL_SERVICE_NAME,
        share: value.OTEL_TRACES_SAMPLER_ARG,
      }

const setPorts = (set: Record<string, string | undefined>) => {
  const { PORT, METRICS_PORT, KAFKA_PORT, REGISTRY_PORT, CLICKHOUSE_PORT } = Environment.parse({ ...set })
  return { http: PORT, metrics: METRICS_PORT, kafka: KAFKA_PORT, registry: REGISTRY_PORT, clickhouse: CLICKHOUSE_PORT }
}

const endpoint = (url: string | undefined, token: string | undefined, model: string) =>
  url === undefined ? null : { url, token, model }

/** Empty if no `story up` of the home is running. */
export function readRunning(home: string): {
  readonly addresses: RunningConfig
  readonly settings: Readonly<Record<string, string>>
} {
  const file = runningFile(home)
  if (!existsSync(file)) return { addresses: {}, settings: {} }
  const { settings, ...addresses } = RunningFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  return { addresses: RunningConfig.parse(addresses), settings }
}

/** The variables that are set, by source. An empty variable in the environment unsets the one in the file. */
export function sources(env: NodeJS.ProcessEnv) {
  const set = withoutEmpty(env)
  const home = resolve(set['STORY_HOME'] ?? '.story')
  const file = Object.fromEntries(
    Object.entries(readSettings(home, problemOf)).filter(([name]) => env[name] === undefined),
  )
  return { set, file, home }
}

/** What is wrong with the value of a variable, without the value; `null` if it is valid. */
function problemOf(name: string, value: string): string | null {
  if (!isVariable(name)) return `${name} is no variable (docs/configuration.md lists all)`
  const parsed = schemaOf(name).safeParse(value)
  return parsed.success ? null : `${name}: ${parsed.error.issues.map(({ message }) => message).join('; ')}`
}

export const VARIABLES: readonly Variable[] = Environment.keyof().options

const isVariable = (name: string): name is Variable => Object.hasOwn(Environment.shape, name)

const schemaOf = (name: Variable): z.ZodType => Environment.shape[name]

/** The default as written in the environment; `null` if there is none. */
export function defaultOf(name: Variable): string | null {
  const parsed = schemaOf(name).safeParse(undefined)
  return parsed.success ? written(parsed.data) : null
}

function written(value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const withoutEmpty = (env: NodeJS.ProcessEnv): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))

const connectors = (value: Parsed) => ({
  namespaces: value.CONNECTOR_NAMESPACES,
  stories: value.CONNECTOR_STORIES,
  ...platformSettings(value),
})

export type ConnectorSettings = Config['connectors']
