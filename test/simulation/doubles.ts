import { readGenreModel, readCredibility, clusteringModel } from '../../src/adapters/model-files.ts'
import { LIFECYCLE } from '../../src/domain/lifecycle/lifecycle.ts'
import type { Encoder } from '../../src/ports/encoder.ts'
import type { OutboundAnswer } from '../../src/ports/http.ts'
import { changeSetting } from '../../src/state/settings/change-setting.ts'
import { channelLinks } from '../../src/state/settings/channel-links.ts'
import { channelUrls } from '../../src/state/settings/channel-urls.ts'
import { MonitorBook } from '../../src/state/settings/monitors.ts'
import { WebhookBook } from '../../src/state/settings/webhooks.ts'
import { UpToDate } from '../../src/state/settings/book.ts'
import type { StageDependencies } from '../../src/pipeline.ts'
import { readPosts } from '../../src/wiring/stages.ts'
import { tokens } from '../../src/stages/clustered/tokens.ts'
import { termHash } from '../../src/stages/clustered/terms.ts'
import { aReading } from '../builders/analyzed.ts'
import { asEncoder, type Composed } from '../builders/encoder.ts'
import { cueStance } from '../builders/enriched.ts'
import { aTokenReading } from '../builders/tokens.ts'
import type { Process } from './process.ts'

/** A text with this in it kills the process that reads it. */
export const DEADLY = 'Doomsday Machine'
/** An article from there makes deciding on it throw. */
export const THROWING = 'Throwing Gazette'

/** The wait before each attempt of a delivery, milliseconds. */
export const RETRY_MS: readonly number[] = [0, 150, 600, 2_000]

/** So many things stay in memory: enough for all of a schedule. */
const BUDGET = 10_000
const WEEK_MS = 7 * 86_400_000

const shipped = clusteringModel()
const genres = readGenreModel()
const credibility = readCredibility()
const tokenReading = aTokenReading()

class ThrowingNames extends Map<string, NonNullable<ReturnType<typeof shipped.publishers.names.get>>> {
  override get(name: string) {
    if (name === THROWING.toLowerCase()) throw new TypeError(`nobody can place ${name}`)
    return super.get(name)
  }
}

const model = { ...shipped, publishers: { ...shipped.publishers, names: new ThrowingNames(shipped.publishers.names) } }

const wordVectors = new Map<string, Float32Array>()
const textVectors = new Map<string, Float32Array>()

/** Each word is a fixed random direction. */
function wordVector(word: string): Float32Array {
  const known = wordVectors.get(word)
  if (known !== undefined) return known
  let random = termHash(word)
  const made = Float32Array.from({ length: 384 }, () => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    return random >>> 31 === 0 ? 1 : -1
  })
  wordVectors.set(word, made)
  return made
}

/** Texts with the same words have near vectors. A double, no encoder of the product. */
function textVector(text: string): Float32Array {
  const known = textVectors.get(text)
  if (known !== undefined) return known
  const sum = new Float32Array(384)
  for (const word of tokens(text)) {
    const vector = wordVector(word)
    for (let i = 0; i < 384; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0)
  }
  const length = Math.hypot(...sum) || 1
  const made = sum.map((value) => value / length)
  if (textVectors.size < 5_000) textVectors.set(text, made)
  return made
}

/** The models as any process of a simulation has them: at once, and never away. */
const replayed = {
  crossEncoder: null,
  ...aReading(
    asEncoder<Omit<Encoder, Composed>>({
      model: 'word-double',
      dim: 384,
      sentences: async (texts) => texts.map(textVector),
      leads: async (articles) => articles.map(({ title, body }) => textVector(`${title} ${body}`)),
      close: async () => undefined,
    }),
  ),
}

/** The same as services of their own that may be away, and that some texts kill the process that calls them. */
function modelsOf(process: Process): typeof replayed {
  const counted = async <Result>(texts: readonly string[], answer: () => Promise<Result>): Promise<Result> => {
    if (texts.some((text) => text.includes(DEADLY))) await process.world.dieOf(process)
    await process.call({ label: 'model', needs: ['model away'], does: () => undefined })
    return answer()
  }
  const { encoder, reader } = replayed
  return {
    ...replayed,
    encoder: {
      ...encoder,
      passages: (passages) =>
        counted(
          passages.flatMap(({ title, sentences }) => [title, ...sentences]),
          () => encoder.passages(passages),
        ),
    },
    reader: {
      ...reader,
      read: (sentences) =>
        counted(
          sentences.map(({ text }) => text),
          () => reader.read(sentences),
        ),
    },
  }
}

/** What the pure parts of the stages with memory are made with: the live ones and those that replay the log alike. */
export const decisionNeeds = {
  clustered: { ...model, budget: BUDGET, texts: BUDGET },
  linked: { budget: BUDGET },
  transitioned: { numbers: LIFECYCLE, budget: BUDGET },
  detected: { budget: BUDGET },
  matched: { budget: BUDGET },
  changed: { budget: BUDGET },
} as const

/** Of enriched: posts are read with a model that is always there. */
export const replayedPosts = {
  read: (texts: readonly string[]) => readPosts(replayed, texts),
  stance: cueStance,
  budget: BUDGET,
  textMs: WEEK_MS,
}

/** What the stages of one process are made with. */
export function needsOf(process: Process): StageDependencies {
  const reading = modelsOf(process)
  return {
    scored: async () => ({
      encoder: reading.encoder,
      crossEncoder: null,
      credibility,
      genres,
      tokens: tokenReading,
      gate: 0.3,
    }),
    analyzed: async () => reading,
    clustered: async () => decisionNeeds.clustered,
    enriched: async () => ({ ...replayedPosts, read: (texts) => readPosts(reading, texts) }),
    linked: async () => decisionNeeds.linked,
    transitioned: async () => decisionNeeds.transitioned,
    detected: async () => decisionNeeds.detected,
    matched: async () => decisionNeeds.matched,
    changed: async () => decisionNeeds.changed,
    delivered: async () => ({
      endpoints: endpointsOf(process),
      monitors: monitorsOf(process),
      urls: URLS,
      liveKeyCheck: async () => () => true,
      retryMs: RETRY_MS,
    }),
    dispatching: async () => {
      const [endpoints, monitors] = [endpointsOf(process), monitorsOf(process)]
      const { log, codec } = process
      return {
        endpoints,
        channels: {
          ...{ monitors, unseal: (sealed) => Buffer.from(sealed).toString(), mail: null, urls: URLS },
          change: async (id, change) => {
            await changeSetting(id, change, { log, codec, known: monitors })
          },
        },
        liveKeyCheck: async () => () => true,
        outbound: { post: (url, { headers }, signal) => post(process, { url, headers, signal }) },
        unseal: (sealed) => Buffer.from(sealed).toString('hex'),
        signatures: ({ id, timestamp }) => `v1,${id}.${timestamp}`,
        change: async (id, change) => {
          await changeSetting(id, change, { log, codec, known: endpoints })
        },
        clock: process.clock,
        retryMs: RETRY_MS,
        onInternal: (cause) => {
          // the log may be away just when an endpoint is to be disabled; the next delivery does it then
          if (process.world.faults.calm) process.world.violation(`a delivery could not be attempted: ${String(cause)}`)
        },
      }
    },
  }
}

function endpointsOf(process: Process): UpToDate<WebhookBook> {
  const { log, codec, clock } = process
  const onStrange = (offsets: readonly number[]): void =>
    process.world.violation(`endpoints not understood at ${offsets.join()}`)
  return new UpToDate(new WebhookBook(), { log, codec, clock, onStrange })
}

function monitorsOf(process: Process): UpToDate<MonitorBook> {
  const { log, codec, clock } = process
  const onStrange = (offsets: readonly number[]): void =>
    process.world.violation(`monitors not understood at ${offsets.join()}`)
  return new UpToDate(new MonitorBook(), { log, codec, clock, onStrange })
}

const URLS = channelUrls('https://stories.example.com', channelLinks('a secret of at least 32 characters'))

interface Posted {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
}

/** A receiver: takes it, refuses it, or takes it and is not heard. */
async function post(process: Process, { url, headers, signal }: Posted): Promise<OutboundAnswer> {
  const { scheduler, receivers } = process.world
  await scheduler.step(process.actor, `post ${url}`)
  const answer = receivers.hear(url, headers['webhook-id'] ?? '')
  if (answer.takesMs > 0) await process.clock.sleep(answer.takesMs, signal)
  if (signal?.aborted === true) throw new Error('aborted')
  if (answer.status === null) throw Object.assign(new Error('no answer'), { code: 'ECONNRESET' })
  return { status: answer.status, retryAfterSeconds: null }
}
