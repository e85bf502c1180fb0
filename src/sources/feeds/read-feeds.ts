import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { messageOf } from '../../domain/message-of.ts'
import type { FetchedDocument, GetDocument } from '../../ports/http.ts'
import type { FeedState, Validators } from '../import-state.ts'
import { folderRefusal, isMissing } from '../open-source.ts'
import { documentText } from './document-text.ts'
import { parseFeed } from './parse-feed.ts'
import { parseOpml } from './parse-opml.ts'
import type { ParsedFeed } from './parsed-feed.ts'

export type ReadFeed =
  | {
      readonly kind: 'feed'
      readonly address: string
      readonly feed: ParsedFeed
      /** Store these once every item is in the log; `null` for files. */
      readonly validators: Validators | null
    }
  | { readonly kind: 'unchanged'; readonly address: string }
  | { readonly kind: 'failed'; readonly address: string; readonly error: string }

export interface FeedPorts {
  readonly get: GetDocument
  readonly state: FeedState
}

/** Who named the address. This determines what may be read. */
type NamedBy = { readonly by: 'user' } | { readonly by: 'list'; readonly list: string }

/** Reads all feeds of the sources: URLs or files, of feeds or of OPML lists. A failed feed does not stop the others. */
export async function* readFeeds(sources: readonly string[], ports: FeedPorts): AsyncGenerator<ReadFeed> {
  for (const source of sources) yield* readSource(source, ports)
}

async function* readSource(address: string, ports: FeedPorts): AsyncGenerator<ReadFeed> {
  const document = await opened(address, { by: 'user' }, ports)
  if (document.kind !== 'document') {
    yield document
    return
  }
  const listed = parseOpml(document.xml)
  if (listed === null) yield feedOf(address, document)
  else for (const feed of listed) yield await readListed(feed, address, ports)
}

/** Reads one feed of a list; nested lists are not followed. */
async function readListed(address: string, list: string, ports: FeedPorts): Promise<ReadFeed> {
  const document = await opened(address, { by: 'list', list }, ports)
  if (document.kind !== 'document') return document
  if (parseOpml(document.xml) !== null) return failed(address, 'a list in a list is not followed')
  return feedOf(address, document)
}

interface Document {
  readonly kind: 'document'
  readonly xml: string
  readonly validators: Validators | null
}

const feedOf = (address: string, { xml, validators }: Document): ReadFeed => {
  const feed = parseFeed(xml, address)
  if (feed === null) return failed(address, 'no RSS, Atom, JSON Feed, sitemap or OPML')
  if (feed.format === 'sitemap-index') return failed(address, 'an index of sitemaps is not followed')
  return { kind: 'feed', address, feed, validators }
}

async function opened(
  address: string,
  namedBy: NamedBy,
  { get, state }: FeedPorts,
): Promise<Document | Exclude<ReadFeed, { kind: 'feed' }>> {
  try {
    if (isHttp(address)) return answered(address, await get(address, conditions(state.of(address))))
    return {
      kind: 'document',
      xml: documentText(await readLocal(address, namedBy), undefined, MAX_FEED_BYTES),
      validators: null,
    }
  } catch (cause) {
    return failed(address, messageOf(cause))
  }
}

const isHttp = (address: string): boolean => /^https?:/i.test(address)

/** A list from the web must not refer to files of this machine. */
async function readLocal(address: string, namedBy: NamedBy): Promise<Buffer> {
  if (namedBy.by === 'user') return readNamedFile(address)
  if (isHttp(namedBy.list)) throw new Error('refused: a list from the web may name http(s) addresses only')
  return readListedFile(namedBy.list, address)
}

function answered(
  address: string,
  { status, headers, body }: FetchedDocument,
): Document | Exclude<ReadFeed, { kind: 'feed' }> {
  if (status === 304) return { kind: 'unchanged', address }
  if (status < 200 || status > 299) return failed(address, `HTTP ${status}`)
  const { etag, 'last-modified': last_modified } = headers
  const validators = { ...(etag !== undefined && { etag }), ...(last_modified !== undefined && { last_modified }) }
  return { kind: 'document', xml: documentText(body, headers['content-type'], MAX_FEED_BYTES), validators }
}

const conditions = ({ etag, last_modified }: Validators): Record<string, string> => ({
  accept:
    'application/rss+xml, application/atom+xml, application/feed+json, application/xml, text/xml;q=0.9, */*;q=0.1',
  ...(etag !== undefined && { 'if-none-match': etag }),
  ...(last_modified !== undefined && { 'if-modified-since': last_modified }),
})

const failed = (address: string, error: string): Extract<ReadFeed, { kind: 'failed' }> => ({
  kind: 'failed',
  address,
  error,
})

/** Larger documents are rejected: they are broken or not feeds. */
export const MAX_FEED_BYTES = 20 * 1024 * 1024

/** Reads a file that the user named. It may be a pipe or a device, but not a folder. */
async function readNamedFile(path: string): Promise<Buffer> {
  return readBounded(path, constants.O_RDONLY, 'any file').catch(throwMissing)
}

/**
 * Reads a file that a list refers to. It must be a regular file in the list's folder or below it, after symbolic links
 * are resolved. It is opened non-blocking, because opening a pipe would otherwise wait for a writer.
 */
async function readListedFile(list: string, entry: string): Promise<Buffer> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(entry)) throw new Error('refused: neither an http(s) address nor a path')
  const folder = dirname(await realpath(list))
  const path = await realpath(resolve(folder, entry)).catch(throwMissing)
  if (!isBelow(folder, path)) throw new Error(`refused: outside the folder of the list (${folder})`)
  return readBounded(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW, 'regular file')
}

function throwMissing(cause: unknown): never {
  throw isMissing(cause) ? new Error('no such file', { cause }) : cause
}

function isBelow(folder: string, path: string): boolean {
  const relativePath = relative(folder, path)
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)
}

async function readBounded(path: string, flags: number, takes: 'any file' | 'regular file'): Promise<Buffer> {
  const file = await open(path, flags)
  try {
    const found = await file.stat()
    if (found.isDirectory()) throw folderRefusal(path, 'xml')
    if (takes === 'regular file' && !found.isFile()) throw new Error('refused: not a regular file')
    const parts: Buffer[] = []
    let bytes = 0
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      const part = Buffer.from(chunk as Buffer)
      bytes += part.length
      if (bytes > MAX_FEED_BYTES) throw new Error(`more than ${MAX_FEED_BYTES} bytes`)
      parts.push(part)
    }
    return Buffer.concat(parts)
  } finally {
    await file.close()
  }
}
