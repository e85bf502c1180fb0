import type { Variable } from './config.ts'
import { mailMeanings } from './mail.ts'
import { platformMeanings, type Meaning } from './platforms.ts'

type Meanings = Readonly<Record<Variable, Meaning>>

/** The meaning of each environment variable. Defaults and bounds are in `src/config/config.ts`. */
export const MEANINGS: Meanings = {
  STORY_HOME: { meaning: 'Folder of this installation: data, logs, `secrets.json`, `settings.env`.' },
  STORY_CACHE: {
    meaning: 'Folder of downloaded engines and models, shared by all installations of a user.',
    default: '`~/.cache/story-intelligence`',
  },
  SAMPLE_AT: {
    meaning:
      'The time that the dates of the imported sample are relative to (`story import sample --at`, ISO 8601). The dashboard states it.',
    default: 'set by `story up` when it imports the sample',
  },
  FIRST_KEY_NAME: {
    meaning: 'Name of the API key that `story up` creates at its first start. `off`: none. `story init` sets it.',
  },
  STATE_FOLDER: {
    meaning:
      'Folder of saved states and local copies of changelogs, which make a restart of a stateful stage a matter of seconds. `off`: none.',
    default: '`state` in `STORY_HOME`',
  },
  HOST: { meaning: 'Address the API listens on.' },
  PORT: { meaning: 'Port of the API.', default: '`8080`; with `story up` the next free one' },
  STORY_URL: {
    meaning: 'Address of the service that `story mcp` connects to, if no `story up` of the home is running.',
  },
  STORY_KEY: { meaning: 'API key of `story mcp`.', default: 'the demo key of the home, for its `story up`' },
  METRICS_HOST: { meaning: 'Address of `/metrics`.' },
  METRICS_PORT: { meaning: 'Port of `/metrics`.', default: '`9464`; with `story up` the next free one' },
  KAFKA_PORT: { meaning: "Port of `story up`'s Kafka.", default: '`19092` or the next free one' },
  REGISTRY_PORT: { meaning: "Port of `story up`'s schema registry.", default: '`8081` or the next free one' },
  CLICKHOUSE_PORT: { meaning: "Port of `story up`'s ClickHouse.", default: '`8123` or the next free one' },
  KAFKA_BROKERS: { meaning: 'Brokers, `host:port`, comma-separated.' },
  KAFKA_TLS: { meaning: '`1`: TLS to the brokers; their certificates are verified.' },
  KAFKA_TLS_CA_FILE: { meaning: 'Certificate authorities (PEM) for the brokers.', default: "the system's" },
  KAFKA_TLS_CERT_FILE: { meaning: 'Client certificate (PEM), where brokers require one.' },
  KAFKA_TLS_KEY_FILE: { meaning: 'Private key (PEM) of the client certificate.' },
  KAFKA_SASL: { meaning: 'Authentication: `none`, `plain`, `scram-sha-256` or `scram-sha-512`.' },
  KAFKA_USER: { meaning: 'User for `KAFKA_SASL`.' },
  KAFKA_PASSWORD: { meaning: 'Password for `KAFKA_SASL`.' },
  REGISTRY_URL: { meaning: 'Confluent-compatible address of the schema registry.' },
  REGISTRY_USER: { meaning: 'User of the schema registry.' },
  REGISTRY_PASSWORD: { meaning: 'Password of the schema registry.' },
  CLICKHOUSE_URL: { meaning: "Address of ClickHouse's HTTP interface." },
  CLICKHOUSE_USER: { meaning: 'User of the service in ClickHouse.' },
  CLICKHOUSE_PASSWORD: { meaning: 'Password of `CLICKHOUSE_USER`.' },
  CLICKHOUSE_DATABASE: { meaning: 'Database of the views.' },
  CLICKHOUSE_STORES: {
    meaning:
      'Several servers, each with its own copy of the views: `[{"name":"a","url":"http://…"}, …]`, with `user`, `password`, `database`, `namespaces`, `except` or `shards` where they differ ([stores.md](stores.md)).',
    default: '`CLICKHOUSE_URL` alone',
  },
  CLICKHOUSE_REPLICATED: { meaning: '`1`: tables are replicated (`docker/README.md`).' },
  CLICKHOUSE_READ_MEMORY_MB: { meaning: 'Memory that one read query of the service may use.', unit: 'MB' },
  TOPIC_PARTITIONS: {
    meaning:
      '`one` partition per topic; `production`: the number in `topics/*.yaml`; or a number, after `story topics grow`.',
  },
  TOPIC_SUFFIX: {
    meaning:
      'End of the names of all topics in Kafka, the same in every process: the generation of topics in use (`.p24`).',
  },
  ENCODER_PROCESSES: {
    meaning: 'Processes that run the language models, 1 to 64.',
    default: 'the number of cores, at most 2',
  },
  LANGUAGES: {
    meaning:
      '`all`: stories span languages. `en`: English only, which saves memory and time; articles of other languages are matched as before.',
  },
  ENCODER_ENDPOINT_URL: { meaning: 'Endpoint for embeddings instead of the local model.' },
  ENCODER_ENDPOINT_TOKEN: { meaning: 'Bearer token of that endpoint.' },
  ENCODER_ENDPOINT_MODEL: { meaning: 'Name of the model behind that endpoint.' },
  ENCODER_VECTOR_CACHE: { meaning: 'Folder of cached embeddings by text; for tests and benchmarks.' },
  SENTIMENT_ENDPOINT_URL: { meaning: 'Endpoint for sentiment; only together with `ENCODER_ENDPOINT_URL`.' },
  SENTIMENT_ENDPOINT_TOKEN: { meaning: 'Bearer token of that endpoint.' },
  SENTIMENT_ENDPOINT_MODEL: { meaning: 'Name of the model behind that endpoint.' },
  TAGGER_ENDPOINT_URL: { meaning: 'Endpoint for names instead of the local models.' },
  TAGGER_ENDPOINT_TOKEN: { meaning: 'Bearer token of that endpoint.' },
  TAGGER_ENDPOINT_MODEL: { meaning: 'Name of the model behind that endpoint.' },
  QUALITY_GATE: {
    meaning: 'Lowest quality score at which an article of `shared` is forwarded to analysis and clustering.',
    unit: '0 to 1',
  },
  CREDIBILITY_FILE: { meaning: 'Table of source credibility instead of the shipped one.' },
  CLUSTER_MEMBERS_IN_MEMORY: {
    meaning:
      'Articles that a process keeps in the state of each of the stages `clustered`, `enriched`, `linked`, `transitioned`, `matched` and `changed`; `enriched` as many posts as well. Each partition gets an equal part (`STAGE_PROCESSES`). Beyond it the oldest are evicted, from the largest namespace first.',
    unit: 'articles',
  },
  CLUSTER_TEXTS_IN_MEMORY: {
    meaning: 'Texts that a process keeps to detect reprints, divided in the same way.',
    unit: 'articles',
  },
  DETECTED_ARTICLES_IN_MEMORY: {
    meaning: 'Articles that a process keeps in the state of the trend detector, divided in the same way.',
    unit: 'articles',
  },
  STAGE_PROCESSES: {
    meaning:
      'Fewest processes of each stateful stage that run at any time; the same in every process. One of them is then assigned at most partitions / `STAGE_PROCESSES` (rounded up) partitions, and is the standby of `STANDBY_REPLICAS` times as many; the budgets of a process are divided by the sum, at most by the number of partitions.',
    unit: 'processes',
  },
  LIFECYCLE: {
    meaning: 'JSON object that changes lifecycle rules by the names in `src/domain/lifecycle/lifecycle.ts`.',
    default: '`{}`: the rules of `docs/contract.md`',
  },
  GRAPH_READS_DURING_BUILD: {
    meaning: 'What graph endpoints do while the graph is built: `answer` as usual, or `refuse` with 503.',
  },
  STANDBY_REPLICAS: {
    meaning:
      'Other processes of a stateful stage that keep the state of a partition in memory, so that one of them can take it over within seconds.',
  },
  REJECT_FLOOD: {
    meaning: 'Rejected records in a row at which a stage stops instead of filling the dead letters; 0: never.',
    unit: 'records',
  },
  REQUESTS_PER_MINUTE_STARTER: {
    meaning: 'Rate limit of a starter key, for each instance.',
    unit: 'requests a minute',
  },
  REQUESTS_PER_MINUTE_PROFESSIONAL: {
    meaning: 'Rate limit of a professional key, for each instance.',
    unit: 'requests a minute',
  },
  REQUESTS_PER_MINUTE_ENTERPRISE: {
    meaning: 'Rate limit of an enterprise key, for each instance.',
    unit: 'requests a minute',
  },
  SECRETS_KEY: {
    meaning:
      'Signs job ids and encrypts webhook secrets and channels of monitors, at least 32 characters; the same for every instance.',
    default: 'generated by `story up` and stored in `secrets.json`',
  },
  RESPONSE_CACHE_MB: { meaning: 'Memory of the response cache; 0 turns it off.', unit: 'MB' },
  REQUEST_BODIES_MB: { meaning: 'Memory for request bodies that an instance is reading.', unit: 'MB' },
  REQUEST_BODIES_MB_PER_KEY: { meaning: 'The part of `REQUEST_BODIES_MB` that one caller may use.', unit: 'MB' },
  REQUEST_BODY_SECONDS: { meaning: 'Longest time a request body may take to arrive.', unit: 'seconds' },
  KEEP_ALIVE_SECONDS: { meaning: 'How long an idle connection to the API is kept open.', unit: 'seconds' },
  DRAIN_SECONDS: { meaning: 'How long a stopping API still accepts requests.', unit: 'seconds' },
  CORS_ORIGINS: { meaning: 'Origins (`https://host[:port]`, comma-separated) whose pages may call the API.' },
  WEBHOOKS_ALLOW_LOOPBACK: { meaning: '`1`: webhooks may go to this machine over plain HTTP; for development only.' },
  WEBHOOKS_PER_NAMESPACE: { meaning: 'Webhook endpoints that a private namespace may have.', unit: 'endpoints' },
  MONITORS_PER_NAMESPACE: { meaning: 'Monitors that a namespace may have.', unit: 'monitors' },
  WEBHOOKS_RETRY_SECONDS: { meaning: 'Wait before each attempt of a delivery, comma-separated.', unit: 'seconds' },
  FEEDS_ALLOW_PRIVATE_ADDRESSES: { meaning: '`1`: feeds may be read from private addresses, such as 127.0.0.1.' },
  FEEDS_PER_NAMESPACE: { meaning: 'Feeds that a namespace may watch.', unit: 'feeds' },
  FEEDS_HOST_DELAY_SECONDS: {
    meaning: 'Shortest time between two requests of feeds and pages to one host.',
    unit: 'seconds',
  },
  FEEDS_CONTACT: {
    meaning: 'URL or e-mail address in the `User-Agent` of these requests, for the operators of the hosts.',
  },
  CONNECTOR_NAMESPACES: { meaning: 'Namespaces for which connectors look for posts, comma-separated.' },
  CONNECTOR_STORIES: { meaning: 'Stories of a namespace for which connectors look for posts.', unit: 'stories' },
  PUBLIC_URL: {
    meaning: 'URL at which readers of messages reach this service, for links to the dashboard and the API.',
    default: '`http://127.0.0.1:PORT`',
  },
  ...mailMeanings,
  POST_TEXT_DAYS: { meaning: 'Time after which the text of a public post is deleted, at most 7.', unit: 'days' },
  ...platformMeanings,
  OTEL_EXPORTER_OTLP_ENDPOINT: { meaning: 'OTLP collector for traces; unset: no traces.' },
  OTEL_SERVICE_NAME: { meaning: 'Name of the service in traces.' },
  OTEL_TRACES_SAMPLER_ARG: { meaning: 'Share of requests and articles that are traced.', unit: '0 to 1' },
  LOG_LEVEL: { meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.' },
}
