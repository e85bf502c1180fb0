import type { Variable } from '../config.ts'

export interface Meaning {
  readonly meaning: string
  readonly unit?: string
  /** Where the default is not one value. */
  readonly default?: string
}

type Meanings = Readonly<Record<Variable, Meaning>>

/** What each variable of the environment means. Its default and its bounds are in `src/config.ts`. */
export const MEANINGS: Meanings = {
  STORY_HOME: { meaning: 'Folder of this installation: data, logs, `secrets.json`, `settings.env`.' },
  STORY_CACHE: {
    meaning: 'Folder of downloaded engines and models, shared by all installations of a user.',
    default: '`~/.cache/story-intelligence`',
  },
  HOST: { meaning: 'Address the API listens on.' },
  PORT: { meaning: 'Port of the API.', default: '`8080`; with `story up` the next free one' },
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
  CLICKHOUSE_PASSWORD: { meaning: 'Password of that user.' },
  CLICKHOUSE_DATABASE: { meaning: 'Database of the views.' },
  CLICKHOUSE_REPLICATED: { meaning: '`1`: tables are replicated (`docker/README.md`).' },
  TOPIC_PARTITIONS: { meaning: '`one` partition a topic, or `production`: as many as `topics/*.yaml` says.' },
  ENCODER_PROCESSES: {
    meaning: 'Processes that run the language models, 1 to 64.',
    default: 'the number of cores, at most 2',
  },
  ENCODER_ENDPOINT_URL: { meaning: 'Endpoint for embeddings instead of the local model.' },
  ENCODER_ENDPOINT_TOKEN: { meaning: 'Bearer token of that endpoint.' },
  ENCODER_ENDPOINT_MODEL: { meaning: 'Name of the model behind that endpoint.' },
  ENCODER_VECTOR_CACHE: { meaning: 'Folder that keeps embeddings by text; for tests and benchmarks.' },
  SENTIMENT_ENDPOINT_URL: { meaning: 'Endpoint for sentiment; only beside `ENCODER_ENDPOINT_URL`.' },
  SENTIMENT_ENDPOINT_TOKEN: { meaning: 'Bearer token of that endpoint.' },
  SENTIMENT_ENDPOINT_MODEL: { meaning: 'Name of the model behind that endpoint.' },
  TAGGER: { meaning: 'Model for names: `accurate`, or `fast` (smaller).' },
  TAGGER_ENDPOINT_URL: { meaning: 'Endpoint for names instead of the local models.' },
  TAGGER_ENDPOINT_TOKEN: { meaning: 'Bearer token of that endpoint.' },
  TAGGER_ENDPOINT_MODEL: { meaning: 'Name of the model behind that endpoint.' },
  QUALITY_GATE: {
    meaning: 'Lowest quality score at which an article of `shared` is forwarded to analysis and clustering.',
    unit: '0 to 1',
  },
  CREDIBILITY_FILE: { meaning: 'Table of source credibility instead of the shipped one.' },
  CLUSTER_MEMBERS_IN_MEMORY: {
    meaning: 'Articles that the clusterer and the story graph keep in state; the oldest stories are evicted beyond it.',
    unit: 'articles',
  },
  CLUSTER_TEXTS_IN_MEMORY: { meaning: 'Texts kept to detect reprints.', unit: 'articles' },
  DETECTED_ARTICLES_IN_MEMORY: { meaning: 'Articles the trend detector keeps in state.', unit: 'articles' },
  LIFECYCLE: {
    meaning: 'JSON object that changes lifecycle rules by the names in `src/events/lifecycle-rules.ts`.',
    default: '`{}`: the rules of `docs/decisions.md`',
  },
  GRAPH_READS_DURING_BUILD: { meaning: '`answer`, or `refuse`: 503 while the story graph is built.' },
  REJECT_FLOOD: {
    meaning: 'Rejected records in a row at which a stage stops instead of filling the dead letters; 0: never.',
    unit: 'records',
  },
  REQUESTS_PER_MINUTE_STARTER: {
    meaning: 'Rate limit of a starter key, for each instance.',
    unit: 'requests a minute',
  },
  REQUESTS_PER_MINUTE_PROFESSIONAL: { meaning: 'The same for professional keys.', unit: 'requests a minute' },
  REQUESTS_PER_MINUTE_ENTERPRISE: { meaning: 'The same for enterprise keys.', unit: 'requests a minute' },
  SECRETS_KEY: {
    meaning: 'Signs job ids and encrypts webhook secrets, at least 32 characters; the same for every instance.',
    default: 'made by `story up` and kept in `secrets.json`',
  },
  RESPONSE_CACHE_MB: { meaning: 'Memory of the response cache; 0 turns it off.', unit: 'MB' },
  DRAIN_SECONDS: { meaning: 'How long a stopping API still accepts requests.', unit: 'seconds' },
  CORS_ORIGINS: { meaning: 'Origins (`https://host[:port]`, comma-separated) whose pages may call the API.' },
  WEBHOOKS_ALLOW_LOOPBACK: { meaning: '`1`: webhooks may go to this machine over plain HTTP; for development only.' },
  WEBHOOKS_PER_NAMESPACE: { meaning: 'Webhook endpoints that a private namespace may have.', unit: 'endpoints' },
  WEBHOOKS_RETRY_SECONDS: { meaning: 'Wait before each attempt of a delivery, comma-separated.', unit: 'seconds' },
  FEEDS_ALLOW_PRIVATE_ADDRESSES: { meaning: '`1`: feeds may be read from private addresses, such as 127.0.0.1.' },
  CONNECTOR_NAMESPACES: { meaning: 'Namespaces for which connectors look for posts, comma-separated.' },
  CONNECTOR_STORIES: { meaning: 'Stories of a namespace for which connectors look for posts.', unit: 'stories' },
  POST_TEXT_DAYS: { meaning: 'Time after which the text of a public post is deleted, at most 7.', unit: 'days' },
  REDDIT_CLIENT_ID: { meaning: "Reddit application; the connector is on when all of Reddit's three are set." },
  REDDIT_CLIENT_SECRET: { meaning: 'Its secret.' },
  REDDIT_USER_AGENT: { meaning: 'User agent that Reddit asks for.' },
  REDDIT_AUTH_URL: { meaning: "Reddit's address for tokens." },
  REDDIT_API_URL: { meaning: "Reddit's API." },
  BLUESKY_IDENTIFIER: { meaning: 'Bluesky account; the connector is on when both of Bluesky are set.' },
  BLUESKY_APP_PASSWORD: { meaning: 'Its app password.' },
  BLUESKY_URL: { meaning: "Bluesky's API." },
  BLUESKY_JETSTREAM_URL: { meaning: 'Jetstream to follow instead of the search.' },
  TWITTER_BEARER_TOKEN: { meaning: "X's bearer token; the connector is on when it is set." },
  TWITTER_API_URL: { meaning: "X's API." },
  TWITTER_POSTS_PER_MONTH: { meaning: 'Posts to read from X in a month at most.', unit: 'posts' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { meaning: 'OTLP collector for traces; unset: no traces.' },
  OTEL_SERVICE_NAME: { meaning: 'Name of the service in traces.' },
  OTEL_TRACES_SAMPLER_ARG: { meaning: 'Share of requests and articles that are traced.', unit: '0 to 1' },
  LOG_LEVEL: { meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.' },
}
