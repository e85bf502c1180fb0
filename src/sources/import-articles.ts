import {
  intake,
  characters,
  type IntakeRefusal,
  MAX_FIELD_CHARACTERS,
  MAX_TEXT_CHARACTERS,
  MIN_TEXT_CHARACTERS,
  MOMENTS,
  readMoment,
} from '../domain/intake/articles.ts'
import { articlesIngested } from '../events/articles.ts'
import type { Log } from '../ports/log.ts'
import type { Checkpoint } from './import-state.ts'
import { ingested, type Ingested, type IngestedEventOrigin } from './ingested-event.ts'
import { publisher, type PublisherPorts } from './publisher.ts'
import type { SourceRecord } from './records.ts'
import type { SourceTally } from './tally.ts'

export interface ArticleSource extends IngestedEventOrigin {
  readonly records: AsyncIterable<SourceRecord>
  /** Articles per second; `null` for no limit. */
  readonly rate: number | null
  readonly checkpoint: Checkpoint
  /** Included in each rejection if several sources are imported at once; `null` if there is one. */
  readonly file: string | null
}

export interface ArticleImportPorts extends PublisherPorts {
  readonly log: Pick<Log, 'produce' | 'ends'>
  /** Called after each record. */
  onProgress(): void
}

/**
 * Imports the articles of a source into `articles.ingested`. Rejected records are counted with their line. A killed
 * import resumes after the last batch that the log accepted; earlier records are only counted. If the log is not the
 * checkpoint's log, the import starts again, which is safe because event ids are derived from the content.
 */
export async function importArticles(
  source: ArticleSource,
  ports: ArticleImportPorts,
  tally: SourceTally,
): Promise<void> {
  const { rate, checkpoint } = source
  const end = await logEnd(ports.log)
  const done = resumeFrom(checkpoint, end)
  let read = 0
  const out = publisher(ports, {
    topic: articlesIngested,
    rate,
    onAccepted: (events) => checkpoint.save({ records: read, logEnd: end + events }),
  })

  for await (const record of source.records) {
    const article = intakeRecord(record, source, tally)
    read += 1 // before `add`, because a batch that is sent by it already contains this record
    if (article !== null && read > done) await out.add(article.event)
    ports.onProgress()
  }
  await out.flush()
  checkpoint.clear()
}

/** A dry run: counts what would be accepted and rejected. */
export async function tryArticles(
  source: Omit<ArticleSource, 'rate' | 'checkpoint'>,
  tally: SourceTally,
): Promise<void> {
  for await (const record of source.records) intakeRecord(record, source, tally)
}

/** The number of records of the log's topic so far, over all partitions. */
export const logEnd = async (log: Pick<Log, 'ends'>): Promise<number> =>
  (await log.ends(articlesIngested.name)).reduce((sum, end) => sum + end, 0)

/** Number of records to skip. If the log ends before the checkpoint, it is another log, and none are skipped. */
function resumeFrom(checkpoint: Checkpoint, logEndNow: number): number {
  const saved = checkpoint.load()
  return saved === null || logEndNow < saved.logEnd ? 0 : saved.records
}

/** A header error has a complete message; a line error starts with its reason. */
function malformedMessage(reason: string, detail: string | undefined): string {
  if (detail === undefined) return reason
  return reason === 'header_invalid' ? detail : `${reason} (${detail})`
}

/** The article of a record; `null` if it is rejected. Both are counted in the tally. */
function intakeRecord(
  record: SourceRecord,
  source: Pick<ArticleSource, 'file' | keyof IngestedEventOrigin>,
  tally: SourceTally,
): Ingested | null {
  const at = { line: record.line, ...(source.file === null ? {} : { file: source.file }) }
  if (record.kind === 'malformed') {
    const { reason, detail } = record
    tally.refusals.push({ ...at, reason, message: malformedMessage(reason, detail) })
    return null
  }
  const given = intake(record.fields)
  if (given.kind === 'refused') {
    const title = record.title === undefined ? {} : { title: record.title }
    tally.refusals.push({ ...at, ...title, reason: given.reason, ...refusalDetail(given, record.fields) })
    return null
  }
  const article = ingested(given.fields, source)
  tally.accept(article)
  return article
}

interface RefusalDetail {
  /** For people; `reason` is for programs. */
  readonly message: string
  readonly field?: string
  /** The value of the field, shortened; absent for a text. */
  readonly value?: string
}

const SHOWN_CHARACTERS = 80

/** Describes a rejected field: its value and what was expected. */
function refusalDetail(
  { reason, field }: { readonly reason: IntakeRefusal; readonly field: string },
  fields: Readonly<Record<string, unknown>>,
): RefusalDetail {
  const value = fields[field]
  if (field === 'text' && value === undefined) return { field, message: withoutText(reason, fields) }
  if (typeof value !== 'string') return { field, message: withoutString(reason, field, value) }
  const trimmed = value.trim()
  if (field === 'text' || reason.endsWith('_too_long')) return { field, message: ofLength(reason, field, trimmed) }
  const shown = trimmed.length > SHOWN_CHARACTERS ? `${trimmed.slice(0, SHOWN_CHARACTERS)}…` : trimmed
  return { field, value: shown, message: `${field} ${JSON.stringify(shown)} ${complaint(reason, trimmed)}` }
}

/** Lists the fields of the record, because usually the text has another name. */
const withoutText = (reason: IntakeRefusal, fields: Readonly<Record<string, unknown>>): string =>
  `${reason} (no text; this record has ${Object.keys(fields).slice(0, 10).join(', ')}; name it with --map COLUMN=text)`

const withoutString = (reason: IntakeRefusal, field: string, value: unknown): string =>
  value === undefined || value === null
    ? `${reason} (no ${field})`
    : `${reason} (${field} is ${Array.isArray(value) ? 'a list' : `of type ${typeof value}`}, not a string)`

function ofLength(reason: IntakeRefusal, field: string, text: string): string {
  if (text === '') return `${reason} (${field} is empty)`
  const has = characters(text).toLocaleString('en')
  if (reason === 'text_too_short') return `${reason} (${has} of at least ${MIN_TEXT_CHARACTERS} characters)`
  const most = isBounded(field) ? MAX_FIELD_CHARACTERS[field] : MAX_TEXT_CHARACTERS
  return `${reason} (${has} of at most ${most.toLocaleString('en')} characters)`
}

const isBounded = (field: string): field is keyof typeof MAX_FIELD_CHARACTERS =>
  Object.hasOwn(MAX_FIELD_CHARACTERS, field)

function complaint(reason: IntakeRefusal, value: string): string {
  if (reason === 'url_invalid') return 'is not an http(s) address'
  if (reason !== 'published_date_invalid') return `is refused: ${reason}`
  return readMoment(value) === null ? 'is not an ISO 8601 date (2026-11-20)' : `is outside ${MOMENTS}`
}
