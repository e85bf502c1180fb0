import { cachedEncoder } from '../adapters/cached-encoder.ts'
import { systemClock } from '../adapters/clock.ts'
import { clickhouseStore } from '../adapters/clickhouse/store.ts'
import { KafkaLog } from '../adapters/kafka/kafka-log.ts'
import { jsonLogger } from '../adapters/logger.ts'
import type { LanguageModels } from '../adapters/onnx/language-models.ts'
import { RegistryCodec } from '../adapters/registry/codec.ts'
import { openTracing } from '../adapters/tracing.ts'
import type { Config } from '../config/config.ts'
import { fetchModel } from '../engines/fetch.ts'
import type { Encoder } from '../ports/encoder.ts'
import type { Tagger } from '../ports/tagger.ts'
import { standardOut, type Wiring } from '../ports/wiring.ts'
import { version } from '../config/version.ts'

/** Creates the real ports of a configuration; each connects on first use. */
export function connect(config: Config, environment: NodeJS.ProcessEnv): Wiring {
  const out = standardOut(process.stdout, process.stderr)
  const logger = jsonLogger(config.logLevel)
  const closers: (() => Promise<void>)[] = []
  const lazily = <Port extends { close(): Promise<void> }>(open: () => Promise<Port>): (() => Promise<Port>) => {
    let opened: Promise<Port> | undefined
    return async () => {
      opened ??= open().then((port) => {
        closers.push(() => port.close())
        return port
      })
      try {
        return await opened
      } catch (cause) {
        opened = undefined // try again on the next use
        throw cause
      }
    }
  }
  const models = lazily(() => openModels(config, (line) => out.progress(line)))
  const tracing = lazily(() =>
    openTracing(config.tracing === null ? null : { ...config.tracing, version }, systemClock),
  )
  return {
    config,
    environment,
    clock: systemClock,
    logger,
    out,
    log: lazily(async () => {
      const log = new KafkaLog({ ...config.kafka, clientId: 'story' })
      return (await tracing()).log(log)
    }),
    codec: () => Promise.resolve(new RegistryCodec(config.registry)),
    store: lazily(async () => (await tracing()).store(clickhouseStore(config.clickhouse))),
    encoder: lazily(() => encoderOf(config, models)),
    tagger: () => taggerOf(config, models),
    close: async () => {
      for (const close of closers.reverse()) await close()
    },
  }
}

const openModels = async (
  { encoder, tagger, cache }: Config,
  onProgress: (line: string) => void,
): Promise<LanguageModels> => {
  const { onnxModels } = await import('../adapters/onnx/language-models.ts') // most commands do not need the models
  return onnxModels({
    ...(await fetchModel(cache, onProgress)),
    processes: encoder.processes,
    tagging: tagger.setting,
  })
}

/**
 * Uses an endpoint if one is configured, otherwise the local models. The local models also classify sentiment; a
 * separate sentiment endpoint is used only with an encoder endpoint.
 */
async function encoderOf({ encoder, sentiment }: Config, models: () => Promise<LanguageModels>): Promise<Encoder> {
  const opened = encoder.endpoint === null ? (await models()).encoder : await remote(encoder.endpoint, sentiment)
  return encoder.vectorCache === undefined ? opened : cachedEncoder(opened, encoder.vectorCache)
}

type ConnectEndpoint = NonNullable<Config['encoder']['endpoint']>

async function remote(endpoint: ConnectEndpoint, sentiment: Config['sentiment']): Promise<Encoder> {
  const { huggingFaceEncoder } = await import('../adapters/hugging-face/encoder.ts')
  return huggingFaceEncoder({ ...endpoint, classifier: sentiment.endpoint })
}

async function taggerOf({ tagger }: Config, models: () => Promise<LanguageModels>): Promise<Tagger> {
  if (tagger.endpoint === null) return (await models()).tagger
  const { huggingFaceTagger } = await import('../adapters/hugging-face/tagger.ts')
  return huggingFaceTagger(tagger.endpoint)
}
