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
  /** The Content-Security-Policy; the default allows nothing to be loaded. */
  readonly policy?: string
  /** The brotli body from the build. */
  readonly brotli?: Buffer
  /** The file name changes with the content, so browsers may cache it forever. */
  readonly immutable?: true
  /** Only the client may cache it, because its address contains a secret. */
  readonly isPrivate?: true
}

/** Static content until the next release. A handler returns it instead of JSON. */
export interface DocPage extends PageParts {
  readonly [brand]: true
  readonly tag: string
  /** The gzip body, compressed on first use. */
  readonly zipped: () => Promise<Buffer>
}

const compress = promisify(gzip)

export function page(parts: PageParts): DocPage {
  const tag = createHash('sha1').update(parts.bytes).digest('base64url')
  let zipped: Promise<Buffer> | null = null
  return { [brand]: true, ...parts, tag, zipped: () => (zipped ??= compress(parts.bytes)) }
}

const isPage = (reply: unknown): reply is DocPage => typeof reply === 'object' && reply !== null && brand in reply

/** Sends a page, or the problem that the handler returned. */
export async function pageOf(c: Context<Env>, reply: unknown): Promise<Response> {
  if (isProblem(reply)) return refuse(c, reply)
  if (!isPage(reply)) throw new Error(`${c.req.path} returned no page`)
  return sendPage(c, reply)
}

/** Browsers revalidate each time and get 304 if nothing changed, so a release is visible immediately. */
async function sendPage(c: Context<Env>, sent: DocPage): Promise<Response> {
  const { type, policy, tag } = sent
  const headers = c.get('headers')
  const coding = codingOf(sent, c.req.header('accept-encoding') ?? '')
  headers['cache-control'] = cachingOf(sent)
  headers['vary'] = 'Accept-Encoding'
  headers['etag'] = coding === null ? `"${tag}"` : `W/"${tag}"`
  if (policy !== undefined) headers['content-security-policy'] = policy
  if (c.req.header('if-none-match')?.includes(`"${tag}"`)) return new Response(null, { status: 304, headers })

  headers['content-type'] = type
  if (coding !== null) headers['content-encoding'] = coding
  return new Response(new Uint8Array(await bytesOf(sent, coding)), { status: 200, headers })
}

function cachingOf({ immutable, isPrivate }: DocPage): string {
  if (isPrivate === true) return 'private, no-cache'
  return immutable === true ? 'public, max-age=31536000, immutable' : 'public, no-cache'
}

type Coding = 'br' | 'gzip' | null

/** The smallest encoding that the client accepts. Images are already compressed. */
function codingOf({ type, brotli }: DocPage, accepted: string): Coding {
  if (type === 'image/png') return null
  if (brotli !== undefined && accepts(accepted, 'br')) return 'br'
  return accepts(accepted, 'gzip') ? 'gzip' : null
}

async function bytesOf({ bytes, brotli, zipped }: DocPage, coding: Coding): Promise<Buffer> {
  if (coding === 'br' && brotli !== undefined) return brotli
  return coding === 'gzip' ? zipped() : bytes
}
