import { cachedCrossEncoder, cachedEncoder } from '../adapters/cached-encoder.ts'
import { systemClock } from '../adapters/clock.ts'
import {
  composedReader,
  sentimentOfVectors,
  taggedBy,
  taggerOf,
  type SentenceSentiments,
} from '../adapters/composed-reader.ts'
import { KafkaLog } from '../adapters/kafka/kafka-log.ts'
import { jsonLogger } from '../adapters/logger.ts'
import type { LanguageModels } from '../adapters/onnx/language-models.ts'
import { RegistryCodec } from '../adapters/registry/codec.ts'
import { openTracing } from '../adapters/tracing.ts'
import type { Config } from '../config/config.ts'
import { fetchModel } from '../engines/fetch.ts'
import type { CrossEncoder } from '../ports/cross-encoder.ts'
import type { Encoder } from '../ports/encoder.ts'
import type { Reader, Tagger } from '../ports/reader.ts'
import { standardOut, type Wiring } from '../ports/wiring.ts'
import { version } from '../config/version.ts'
import { openStores, type Lazily } from './stores.ts'

/** Creates the real ports of a configuration; each connects on first use. */
export function connect(config: Config, environment: NodeJS.ProcessEnv): Wiring {
  const out = standardOut(process.stdout, process.stderr)
  const logger = jsonLogger(config.logLevel)
  const closers: (() => Promise<void>)[] = []
  const lazily: Lazily = (open) => {
    let opened: ReturnType<typeof open> | undefined
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
  const crossEncoder = lazily(() => crossEncoderOf(config, models))
  const tracing = lazily(() =>
    openTracing(config.tracing === null ? null : { ...config.tracing, version }, systemClock),
  )
  const log = lazily(async () => {
    const opened = new KafkaLog({ ...config.kafka, clientId: 'story' })
    return (await tracing()).log(opened)
  })
  return {
    config,
    environment,
    clock: systemClock,
    logger,
    out,
    log,
    codec: () => Promise.resolve(new RegistryCodec(config.registry)),
    ...openStores({ config, clock: systemClock, log, tracing }, lazily),
    encoder: lazily(() => encoderOf(config, models)),
    crossEncoder: async () => (config.languages === 'en' ? null : crossEncoder()),
    reader: lazily(async () => ({ ...(await readerOf(config, models)), close: () => Promise.resolve() })),
    crossReader: async () => (config.languages === 'en' ? null : (await models()).crossReader),
    close: async () => {
      for (const close of closers.reverse()) await close()
    },
  }
}

const openModels = async ({ encoder, cache }: Config, onProgress: (line: string) => void): Promise<LanguageModels> => {
  const { onnxModels } = await import('../adapters/onnx/language-models.ts') // most commands do not need the models
  return onnxModels({ ...(await fetchModel(cache, onProgress)), processes: encoder.processes })
}

/** Uses an endpoint if one is configured, otherwise the local model. */
async function encoderOf({ encoder }: Config, models: () => Promise<LanguageModels>): Promise<Encoder> {
  const opened = encoder.endpoint === null ? (await models()).encoder : await remoteEncoder(encoder.endpoint)
  return encoder.vectorCache === undefined ? opened : cachedEncoder(opened, encoder.vectorCache)
}

/** Always the local model: no endpoint is known to give vectors of the same space. */
async function crossEncoderOf({ encoder }: Config, models: () => Promise<LanguageModels>): Promise<CrossEncoder> {
  const { crossEncoder } = await models()
  return encoder.vectorCache === undefined ? crossEncoder : cachedCrossEncoder(crossEncoder, encoder.vectorCache)
}

type ConnectEndpoint = NonNullable<Config['encoder']['endpoint']>

async function remoteEncoder(endpoint: ConnectEndpoint): Promise<Encoder> {
  const { huggingFaceEncoder } = await import('../adapters/hugging-face/encoder.ts')
  return huggingFaceEncoder(endpoint)
}

async function remoteTagger(endpoint: ConnectEndpoint): Promise<Tagger> {
  const { huggingFaceTagger } = await import('../adapters/hugging-face/tagger.ts')
  return huggingFaceTagger(endpoint)
}

/** The local model, with the tags or with the vectors and the sentiment of endpoints where they are configured. */
async function readerOf(config: Config, models: () => Promise<LanguageModels>): Promise<Reader> {
  const { encoder, tagger } = config
  const local = async (): Promise<Reader> => (await models()).reader
  const remote = tagger.endpoint === null ? null : await remoteTagger(tagger.endpoint)
  if (encoder.endpoint === null) return remote === null ? local() : taggedBy(remote, await local())
  return composedReader({
    tagger: remote ?? taggerOf(await local()),
    encoder: await remoteEncoder(encoder.endpoint),
    sentiments: await sentimentsOf(config),
  })
}

/** Sentiment for vectors of an endpoint: of the classifier if one is configured, otherwise from the vectors. */
async function sentimentsOf({ sentiment }: Config): Promise<SentenceSentiments> {
  if (sentiment.endpoint === null) return sentimentOfVectors()
  const { huggingFaceSentiment } = await import('../adapters/hugging-face/sentiment.ts')
  return huggingFaceSentiment(sentiment.endpoint)
}
