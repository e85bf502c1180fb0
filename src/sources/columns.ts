/** The article fields that a file may provide. */
export const ARTICLE_FIELDS = ['url', 'title', 'source', 'author', 'published_date', 'text'] as const
export type ArticleField = (typeof ARTICLE_FIELDS)[number]

/** Usual column names besides the field's own name. */
const SYNONYMS: Readonly<Record<ArticleField, readonly string[]>> = {
  url: ['link', 'href', 'web_url', 'article_url', 'permalink'],
  title: ['headline', 'heading', 'article_title'],
  source: ['outlet', 'publisher', 'publication', 'newspaper', 'source_name', 'site'],
  author: ['authors', 'byline', 'writer'],
  published_date: [
    'date',
    'published',
    'published_at',
    'publishedat',
    'pubdate',
    'pub_date',
    'publish_date',
    'publication_date',
    'date_published',
  ],
  text: ['body', 'content', 'article', 'article_text', 'full_text', 'fulltext', 'body_text', 'article_body'],
}

/** Column to field; a column with `null` is ignored. */
export type ColumnMap = ReadonlyMap<string, ArticleField | null>

/** All fields with their known column names, for help and error messages. */
export const knownColumns = (): string =>
  ARTICLE_FIELDS.map((field) => `${field} (${SYNONYMS[field].slice(0, 4).join(', ')})`).join(', ')

/**
 * Parses `headline=title,body=text`; `-` in place of a field ignores the column. Throws an error that names the invalid
 * part.
 */
export function parseColumnMap(texts: readonly string[]): ColumnMap {
  const map = new Map<string, ArticleField | null>()
  for (const part of texts.flatMap((text) => text.split(','))) {
    const [column, field] = parsePair(part)
    const other = [...map].find(([, known]) => known !== null && known === field)?.[0] ?? column
    if (other !== column) throw new Error(`--map: columns ${other} and ${column} both mean ${field ?? '-'}`)
    map.set(column, field)
  }
  return map
}

/** Parses one `column=field` pair. */
function parsePair(part: string): readonly [string, ArticleField | null] {
  const at = part.lastIndexOf('=')
  const [column, field] = [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).trim()]
  if (column === '') throw new Error(`--map ${part}: expected COLUMN=FIELD, e.g. --map body=text`)
  if (field === '-') return [column, null]
  if (isArticleField(field)) return [column, field]
  throw new Error(`--map ${part}: no field ${field}; known are ${ARTICLE_FIELDS.join(', ')} (- ignores the column)`)
}

const isArticleField = (name: string): name is ArticleField => ARTICLE_FIELDS.some((field) => field === name)

export type SourceColumns =
  /** The field of each column; `null` if the column is ignored. */
  | { readonly kind: 'columns'; readonly fields: readonly (ArticleField | null)[] }
  | { readonly kind: 'refused'; readonly message: string }

/** Maps the columns of a file to fields: by `map`, else by the field's own name, else by a usual name. */
export function columnsOf(header: readonly string[], map: ColumnMap): SourceColumns {
  const missing = [...map.keys()].filter((column) => indexesOf(header, [column]).length === 0)
  if (missing.length > 0) return refused(`no column ${missing.join(', ')} (--map); this file has ${shown(header)}`)
  const mapped = new Map(
    [...map].flatMap(([column, field]) => indexesOf(header, [column]).map((at) => [at, field] as const)),
  )
  const fields = header.map((_, at): ArticleField | null => mapped.get(at) ?? null)
  for (const field of ARTICLE_FIELDS) {
    const found = columnsFor(header, field, mapped)
    if (found.length > 1) {
      const names = found.map((at) => header[at] ?? '')
      return refused(`columns ${names.join(', ')} all mean ${field}; choose one, e.g. --map ${names[0] ?? ''}=${field}`)
    }
    for (const at of found) fields[at] = field
  }
  return fields.includes('text') ? { kind: 'columns', fields } : refused(withoutText(header, fields))
}

const refused = (message: string): SourceColumns => ({ kind: 'refused', message })

/** Indexes of the columns for a field, by the first rule that finds any. */
function columnsFor(
  header: readonly string[],
  field: ArticleField,
  mapped: ReadonlyMap<number, ArticleField | null>,
): readonly number[] {
  const explicit = [...mapped].filter(([, known]) => known === field).map(([at]) => at)
  if (explicit.length > 0) return explicit
  const free = header.map((name, at) => (mapped.has(at) ? '' : name))
  const exact = free.flatMap((name, at) => (name === field ? [at] : []))
  if (exact.length > 0) return exact
  const named = indexesOf(free, [field])
  return named.length > 0 ? named : indexesOf(free, SYNONYMS[field])
}

/** Indexes of the columns with one of these names. Case, spaces and hyphens are ignored. */
const indexesOf = (header: readonly string[], names: readonly string[]): readonly number[] => {
  const sought = new Set(names.map(normalised))
  return header.flatMap((name, at) => (sought.has(normalised(name)) ? [at] : []))
}

const normalised = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

const MOST_NAMES = 15
const LONGEST_NAME = 40

/** Column names for an error message, shortened: if the file has no header line, they are whole texts. */
const shown = (header: readonly string[]): string =>
  [
    ...header
      .slice(0, MOST_NAMES)
      .map((name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name)),
    ...(header.length > MOST_NAMES ? ['…'] : []),
  ].join(', ')

function withoutText(header: readonly string[], fields: readonly (ArticleField | null)[]): string {
  const free = header.find((name, at) => fields[at] === null && name.trim() !== '') ?? 'COLUMN'
  if (header.some((name) => name.length > LONGEST_NAME)) {
    return `no column for \`text\`: the first line looks like data (${shown(header)}); the file needs a header line`
  }
  return `no column for \`text\`; this file has ${shown(header)}; known are ${knownColumns()}; map with --map ${free}=text`
}

/** Renames the fields of a record by `map`, for formats without a header. */
export function renamed(record: Readonly<Record<string, unknown>>, map: ColumnMap): Readonly<Record<string, unknown>> {
  if (map.size === 0) return record
  const kept = Object.entries(record).filter(([name]) => !map.has(name))
  const given = [...map].flatMap(([column, field]) =>
    field === null || !Object.hasOwn(record, column) ? [] : [[field, record[column]] as const],
  )
  return Object.fromEntries([...kept, ...given])
}
