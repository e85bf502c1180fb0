import type { Decoded } from '../../ports/log.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { filterOf } from './filter.ts'
import { look, type DeadRecord } from './letters.ts'
import { deadTopics, decodedOf, meant } from './read-letters.ts'
import { shown } from './letter-lines.ts'

/** One letter wholly: its story, headers, what its bytes say or how they begin, and what to do about it. */
export async function show(wiring: Wiring, id: string, { json }: { readonly json?: true }): Promise<void> {
  const filter = filterOf({ id: [id], settled: true }, wiring.clock.now())
  const log = await wiring.log()
  const looked = await look(log, deadTopics(id.split(':')[0]), () => undefined)
  const codec = () => wiring.codec()
  let letters = 0
  for await (const letter of meant({ log, codec }, looked, filter)) {
    letters += 1
    const whole = wholly(letter, await decodedOf(letter, await wiring.codec()))
    if (json) wiring.out.json(whole)
    else lines(whole).forEach((line) => wiring.out.line(line))
  }
  if (letters === 0)
    throw new Error(`no dead letter at ${id} or for the record there. To list all: story dead list --settled`)
}

const BEGINNING_BYTES = 256

const wholly = (letter: DeadRecord, decoded: Decoded<unknown> | null) => ({
  ...shown(letter),
  headers: letter.record.headers,
  event: decoded?.kind === 'event' ? decoded.event : null,
  /** Why its bytes say nothing; null: they do, or there are none. */
  unreadable: decoded?.kind === 'malformed' ? `${decoded.reason}${causeOf(decoded.cause)}` : null,
  /** How its bytes begin, in hexadecimal; null where they can be read. */
  hex: decoded?.kind === 'malformed' ? hexOf(letter.record.value) : null,
  retry: `story dead retry --id ${shown(letter).id}`,
})

const causeOf = (cause: unknown): string => (cause instanceof Error ? `: ${cause.message}` : '')

const hexOf = (value: Buffer | null): string | null => value?.subarray(0, BEGINNING_BYTES).toString('hex') ?? null

const MOST_CHARS = 200

/** Texts and bytes only as far as a person wants to see them: `--json` has all of the text. */
const plain = (_: string, value: unknown): unknown => {
  if (isBytes(value)) return `${value.data.length} bytes`
  return typeof value === 'string' && value.length > MOST_CHARS ? `${value.slice(0, MOST_CHARS)}…` : value
}

const isBytes = (value: unknown): value is { readonly data: readonly number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value

function lines(whole: ReturnType<typeof wholly>): string[] {
  const { id, original, stage, reason, error, attempts, set_aside_at, settled, key, bytes } = whole
  return [
    `${id}  rejected by ${stage}: ${reason} ${JSON.stringify(error)}`,
    `attempts ${attempts}, rejected ${set_aside_at ?? ''}, ${settled ?? 'unresolved'}`,
    `original ${original.topic}:${original.partition}:${original.offset}, logged ${original.logged_at ?? ''}`,
    `key ${JSON.stringify(key)}, ${bytes === null ? 'bytes only in the original topic' : `${bytes} bytes`}`,
    `headers ${JSON.stringify(whole.headers)}`,
    ...content(whole),
    ...(settled === null ? [`again: ${whole.retry}`] : []),
  ]
}

function content({ event, unreadable, hex }: ReturnType<typeof wholly>): string[] {
  if (event !== null) return [JSON.stringify(event, plain, 2)]
  return unreadable === null ? [] : [`not readable: ${JSON.stringify(unreadable)}`, `first bytes ${hex ?? ''}`]
}
