import type { Wiring } from '../../ports/wiring.ts'
import { filterOf, type FilterOptions, deadTopics, selectLetters, decodedOf } from './filter.ts'
import { readResolutions, type DeadRecord, positionName } from './letters.ts'
import { countsOf, lineOfCount } from './counts.ts'
import type { Decoded } from '../../ports/log.ts'
import { isoOrNull } from '../keys/read-keys.ts'

export interface DeadListOptions extends FilterOptions {
  readonly summary?: true
  readonly json?: true
}

export async function list(wiring: Wiring, options: DeadListOptions): Promise<void> {
  const letters = found(wiring, options)
  if (options.summary) await printCounts(wiring, letters, options)
  else await printLetters(wiring, letters, options)
}

async function* found(wiring: Wiring, options: FilterOptions): AsyncIterable<DeadRecord> {
  const filter = filterOf(options, wiring.clock.now())
  const log = await wiring.log()
  const all = await readResolutions(log, deadTopics(options.topic))
  yield* selectLetters({ log, codec: () => wiring.codec() }, all, filter)
}

async function printLetters(
  { out }: Wiring,
  letters: AsyncIterable<DeadRecord>,
  { json }: DeadListOptions,
): Promise<void> {
  const all: ShownLetter[] = []
  for await (const letter of letters) {
    const one = shown(letter)
    if (json) all.push(one)
    else out.line(lineOf(one))
  }
  if (json) out.json({ letters: all })
}

async function printCounts(
  { out }: Wiring,
  letters: AsyncIterable<DeadRecord>,
  { json }: DeadListOptions,
): Promise<void> {
  const counts = await countsOf(letters)
  const total = counts.reduce((sum, { letters: count }) => sum + count, 0)
  if (json) out.json({ total, counts })
  else [...counts.map(lineOfCount), `${total} dead letters`].forEach((line) => out.line(line))
}

/** Prints one letter in full: its history, headers, decoded value or first bytes, and what to do about it. */
export async function show(wiring: Wiring, id: string, { json }: { readonly json?: true }): Promise<void> {
  const topic = id.split(':')[0] ?? ''
  let letters = 0
  for await (const letter of found(wiring, { id: [id], settled: true, topic })) {
    letters += 1
    const whole = inFull(letter, await decodedOf(letter, await wiring.codec()))
    if (json) wiring.out.json(whole)
    else lines(whole).forEach((line) => wiring.out.line(line))
  }
  if (letters === 0)
    throw new Error(`no dead letter at ${id} or for the record there. To list all: story dead list --settled`)
}

const FIRST_BYTES = 256

const inFull = (letter: DeadRecord, decoded: Decoded<unknown> | null) => ({
  ...shown(letter),
  headers: letter.record.headers,
  event: decoded?.kind === 'event' ? decoded.event : null,
  /** Why the value cannot be decoded; `null` if it can, or if there is none. */
  unreadable: decoded?.kind === 'malformed' ? `${decoded.reason}${causeOf(decoded.cause)}` : null,
  /** The first bytes in hexadecimal; `null` if the value can be decoded. */
  hex: decoded?.kind === 'malformed' ? hexOf(letter.record.value) : null,
  retry: `story dead retry --id ${shown(letter).id}`,
})

const causeOf = (cause: unknown): string => (cause instanceof Error ? `: ${cause.message}` : '')

const hexOf = (value: Buffer | null): string | null => value?.subarray(0, FIRST_BYTES).toString('hex') ?? null

const MAX_CHARS = 200

/** Truncates texts and bytes for the terminal; `--json` has the full text. */
const truncated = (_: string, value: unknown): unknown => {
  if (isBytes(value)) return `${value.data.length} bytes`
  return typeof value === 'string' && value.length > MAX_CHARS ? `${value.slice(0, MAX_CHARS)}…` : value
}

const isBytes = (value: unknown): value is { readonly data: readonly number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value

function lines(whole: ReturnType<typeof inFull>): string[] {
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

function content({ event, unreadable, hex }: ReturnType<typeof inFull>): string[] {
  if (event !== null) return [JSON.stringify(event, truncated, 2)]
  return unreadable === null ? [] : [`not readable: ${JSON.stringify(unreadable)}`, `first bytes ${hex ?? ''}`]
}

/** A letter as printed by the commands; times in ISO 8601. */
const shown = ({ record, stage, reason, attempts, original, loggedAt, resolution }: DeadRecord) => ({
  id: positionName(record),
  stage,
  reason,
  attempts,
  error: record.headers['error'] ?? '',
  key: record.key,
  /** `null` if the record was too large to be stored with its value. */
  bytes: record.value?.length ?? null,
  set_aside_at: isoOrNull(record.loggedAt),
  original: { ...original, logged_at: isoOrNull(loggedAt) },
  settled: resolution,
})

type ShownLetter = ReturnType<typeof shown>

const lineOf = ({ id, stage, reason, attempts, set_aside_at, settled, error }: ShownLetter): string =>
  [
    id.padEnd(30),
    stage.padEnd(12),
    reason.padEnd(20),
    String(attempts).padStart(2),
    set_aside_at ?? '',
    ...(settled === null ? [] : [settled]),
    oneLine(error),
  ]
    .join('  ')
    .trimEnd()

const LINE_CHARS = 80

/** Removes control characters and line breaks: text from an error must not move the cursor. */
const oneLine = (text: string): string => text.replace(/[\s\p{C}]+/gu, ' ').slice(0, LINE_CHARS)
