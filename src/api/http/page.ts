import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'
import { accepts, refuse, type Env } from './answer.ts'
import { isProblem } from './problem.ts'

const brand = Symbol('page')

interface PageParts {
  /** The content type. */
  readonly type: string
  readonly bytes: Buffer
  /** What a page may load; without it nothing, as everywhere. */
  readonly policy?: string
  /** Compressed with brotli, as it was built. */
  readonly brotli?: Buffer
  /** Its name changes with its content: nobody has to ask for it twice. */
  readonly immutable?: true
}

/** Bytes that are the same for everybody until the next release: a handler returns them in place of an answer. */
export interface DocPage extends PageParts {
  readonly [brand]: true
  readonly tag: string
  /** Compressed when first asked for. */
  readonly zipped: () => Promise<Buffer>
}

const compress = promisify(gzip)

export function page(parts: PageParts): DocPage {
  const tag = createHash('sha1').update(parts.bytes).digest('base64url')
  let zipped: Promise<Buffer> | null = null
  return { [brand]: true, ...parts, tag, zipped: () => (zipped ??= compress(parts.bytes)) }
}

const isPage = (reply: unknown): reply is DocPage => typeof reply === 'object' && reply !== null && brand in reply

/** A page, or that there is none. */
export async function pageOf(c: Context<Env>, reply: unknown): Promise<Response> {
  if (isProblem(reply)) return refuse(c, reply)
  if (!isPage(reply)) throw new Error(`${c.req.path} gave no page`)
  return sendPage(c, reply)
}

/** Browsers ask again each time, and get 304 when nothing changed: a release is seen at once. */
async function sendPage(c: Context<Env>, sent: DocPage): Promise<Response> {
  const { type, policy, tag, immutable } = sent
  const headers = c.get('headers')
  const coding = codingOf(sent, c.req.header('accept-encoding') ?? '')
  headers['cache-control'] = immutable === true ? 'public, max-age=31536000, immutable' : 'public, no-cache'
  headers['vary'] = 'Accept-Encoding'
  headers['etag'] = coding === null ? `"${tag}"` : `W/"${tag}"`
  if (policy !== undefined) headers['content-security-policy'] = policy
  if (c.req.header('if-none-match')?.includes(`"${tag}"`)) return new Response(null, { status: 304, headers })

  headers['content-type'] = type
  if (coding !== null) headers['content-encoding'] = coding
  return new Response(new Uint8Array(await bytesOf(sent, coding)), { status: 200, headers })
}

type Coding = 'br' | 'gzip' | null

/** What is smallest of that which the asker takes; a picture is compressed as it is. */
function codingOf({ type, brotli }: DocPage, accepted: string): Coding {
  if (type === 'image/png') return null
  if (brotli !== undefined && accepts(accepted, 'br')) return 'br'
  return accepts(accepted, 'gzip') ? 'gzip' : null
}

async function bytesOf({ bytes, brotli, zipped }: DocPage, coding: Coding): Promise<Buffer> {
  if (coding === 'br' && brotli !== undefined) return brotli
  return coding === 'gzip' ? zipped() : bytes
}
