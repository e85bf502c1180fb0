import { InvalidArgumentError, type Command } from 'commander'
import { messageOf } from '../domain/message-of.ts'
import { parsedUrl } from '../events/canonical-url.ts'
import type { GetDocument } from '../ports/http.ts'
import type { Wiring } from '../ports/wiring.ts'

interface ExtractOptions {
  readonly url?: string
  readonly json?: true
}

/** Larger files are cut here; the extraction reads fewer characters still. */
const MAX_FILE_BYTES = 20 * 1024 * 1024

/** Limits of a request: a page that is slower or larger is an error. */
const LIMITS = { timeoutMs: 30_000, maxBytes: MAX_FILE_BYTES }

export const extractCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('extract')
    .argument('<inputs...>', 'HTML files (also .gz), URLs, or - for standard input')
    .description('extract article text and metadata from web pages')
    .option('--url <url>', 'address of the page, if the input is one file', pageUrl)
    .option('--json', 'print one JSON line per input, in the order given; a failed input has error')
    .addHelpText('after', EXAMPLE)
    .action((inputs: string[], options: ExtractOptions) => extract(wiring, inputs, options))
}

const EXAMPLE = `
Example:
  $ story extract page.html --url https://news.example/2026/05/flood --json
  {"file":"page.html","title":"Flood in …","text":"…","author":"Ada Roe","published_date":"2026-05-03T10:00:00.000Z", …}

Exits with 1 if an input failed; the others are printed.`

function pageUrl(text: string): string {
  if (!isUrl(text) || parsedUrl(text) === null) throw new InvalidArgumentError('Use an http(s) URL.')
  return text
}

const isUrl = (input: string): boolean => /^https?:\/\//i.test(input)

/** One page at a time, so that memory does not depend on the number of inputs. */
async function extract(wiring: Wiring, inputs: readonly string[], options: ExtractOptions): Promise<void> {
  if (options.url !== undefined && (inputs.length > 1 || inputs.some(isUrl))) {
    throw new Error('--url is the address of one file: give one FILE with it')
  }
  const read = await pageReader(wiring, options.url ?? null)
  let failed = 0
  for (const input of inputs) {
    const result = await read(input).catch(failure)
    if ('error' in result) failed++
    print(wiring, { ...nameOf(input), ...result }, options)
  }
  if (failed > 0) throw new Error(`${failed} of ${inputs.length} inputs failed`)
}

const failure = (cause: unknown): Extracted => ({ error: messageOf(cause) })

type Extracted = Readonly<Record<string, string | boolean | null | undefined>>
const nameOf = (input: string): Extracted => (isUrl(input) ? { url: input } : { file: input })

/** The parser and the decoder are loaded here, on first use: the help does not need them. */
async function pageReader(wiring: Wiring, url: string | null): Promise<(input: string) => Promise<Extracted>> {
  const { extractArticle } = await import('../language/extraction/extract-article.ts')
  const { decodePage } = await import('../language/extraction/decode-page.ts')
  const { guardedGet } = await import('../adapters/guarded-get.ts')
  const get = guardedGet({ allowPrivate: wiring.config.feeds.allowPrivateAddresses, ...LIMITS })
  return async (input) => {
    const page = isUrl(input) ? await fetchedPage(get, input) : { ...(await filePage(input)), url }
    const html = decodePage(page.bytes, page.contentType)
    return { ...extractArticle(html, { url: page.url, now: wiring.clock.now() }) }
  }
}

interface PageBytes {
  readonly bytes: Uint8Array
  readonly contentType: string | null
  readonly url: string | null
}

async function fetchedPage(get: GetDocument, input: string): Promise<PageBytes> {
  const { url, status, headers, body } = await get(input, { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1' })
  if (status < 200 || status > 299) throw new Error(`HTTP ${status}`)
  const contentType = headers['content-type'] ?? null
  if (contentType !== null && !/html|xml|^text\/plain/i.test(contentType))
    throw new Error(`not a web page: ${contentType}`)
  return { bytes: body, contentType, url }
}

/** Reads at most `MAX_FILE_BYTES`; a compressed file is decompressed up to the same size. */
async function filePage(input: string): Promise<Omit<PageBytes, 'url'>> {
  const { openSource } = await import('../sources/open-source.ts')
  const source = await openSource(input, process.stdin)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source.bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_FILE_BYTES) break
  }
  return { bytes: Buffer.concat(chunks), contentType: null }
}

function print({ out }: Wiring, result: Extracted, { json }: ExtractOptions): void {
  if (json) out.json(result)
  else readable(result).forEach((line) => out.line(line))
}

const SHOWN = [
  'title',
  'author',
  'published_date',
  'publisher',
  'language',
  'canonical_url',
  'paywalled',
  'method',
  'error',
]

function readable(result: Extracted): readonly string[] {
  const name = result['file'] ?? result['url']
  const fields = SHOWN.flatMap((field) => {
    const value = result[field]
    return value === undefined || value === null ? [] : [`${`${field}:`.padEnd(16)} ${String(value)}`]
  })
  const text = result['text']
  return [String(name), ...fields, ...(typeof text === 'string' && text !== '' ? ['', text] : []), '']
}
