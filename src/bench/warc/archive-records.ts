import { gzipSync } from 'node:zlib'

export interface WrittenRecord {
  /** `WARC-Type`. */
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
  readonly block: string | Buffer
}

/** A WARC record as crawlers write it. */
export function writtenRecord({ type, headers = {}, block }: WrittenRecord): Buffer {
  const bytes = Buffer.from(block)
  const fields = { 'WARC-Type': type, ...headers, 'Content-Length': String(bytes.length), ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`WARC/1.0\r\n${lines.join('')}\r\n`), bytes, Buffer.from('\r\n\r\n')])
}

export interface WrittenPage {
  readonly url: string
  /** ISO 8601. */
  readonly crawledAt: string
  readonly body: string | Buffer
  readonly status?: number
  /** Of the HTTP response, beside its type. */
  readonly http?: Readonly<Record<string, string>>
  /** Of the record. */
  readonly warc?: Readonly<Record<string, string>>
}

/** The record of a response with a page. */
export function writtenPage({ url, crawledAt, body, status = 200, http = {}, warc = {} }: WrittenPage): Buffer {
  const fields = Object.entries({ 'Content-Type': 'text/html; charset=utf-8', ...http })
  const head = `HTTP/1.1 ${status} -\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return writtenRecord({
    type: 'response',
    headers: {
      'WARC-Target-URI': url,
      'WARC-Date': crawledAt,
      'Content-Type': 'application/http; msgtype=response',
      ...warc,
    },
    block: Buffer.concat([Buffer.from(head), Buffer.from(body)]),
  })
}

export const writtenRequest = (url: string, crawledAt: string): Buffer =>
  writtenRecord({
    type: 'request',
    headers: { 'WARC-Target-URI': url, 'WARC-Date': crawledAt },
    block: `GET / HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`,
  })

/** Records as members of a gzip file, one each. */
export const gzipMembers = (records: readonly Buffer[]): Buffer =>
  Buffer.concat(records.map((record) => gzipSync(record, { level: 1 })))

export interface PageArticle {
  /** Also part of its address and text. */
  readonly number: number
  readonly title: string
  readonly text: string
  readonly publishedAt: string
}

const CARDS = 150
const SCRIPT = `window.settings={${Array.from({ length: 400 }, (_, i) => `"option${i}":{"enabled":${i % 2},"size":${i}}`).join(',')}};`
const STYLE = Array.from({ length: 300 }, (_, i) => `.part-${i}{margin:${i}px;color:#${100 + i}}`).join('')

/** A page as news sites serve it: some 150 kB and 2,500 elements, most of them around the article. */
export function generatedPage({ number, title, text, publishedAt }: PageArticle): string {
  const paragraphs = [...text.split(/\n+/), closing(number)].map((one) => `<p>${escaped(one)}</p>`)
  const stated = { '@type': 'NewsArticle', headline: title, datePublished: publishedAt }
  const card = (i: number): string =>
    `<div class="card card-${i}"><div class="card-inner"><a class="card-link" href="/related/${number}-${i}"><picture><source srcset="/image/${i}.webp" media="(min-width: 600px)"><source srcset="/image/${i}-small.webp"><img src="/image/${i}.jpg" alt="" loading="lazy"></picture><div class="card-text"><span class="label">Section</span><h3 class="card-title">Another report of the day, number ${i}, with a longer headline</h3><p class="card-summary">What it is about in one short sentence, number ${i}.</p></div></a><div class="card-footer"><time class="time">${i} hours ago</time><span class="comments">${i}</span></div></div></div>`
  return `<!doctype html><html lang="en"><head><title>${escaped(title)} | Site</title><style>${STYLE}</style><script>${SCRIPT}</script>
<script type="application/ld+json">${JSON.stringify(stated).replaceAll('<', '\\u003c')}</script></head><body>
<header><nav><ul>${'<li><a href="/section">Section of the site</a></li>'.repeat(30)}</ul></nav></header>
<main><article><h1>${escaped(title)}</h1><div class="byline">By <a rel="author" href="/author">Ada Roe</a></div>
<div class="article-body">${paragraphs.join('\n')}</div></article>
<aside class="related">${Array.from({ length: CARDS }, (_, i) => card(i)).join('')}</aside></main>
<footer><ul>${'<li><a href="/about">About this site and its owners</a></li>'.repeat(20)}</ul></footer><script>${SCRIPT}</script></body></html>`
}

/** Makes the text of each article a different one. */
const closing = (number: number): string =>
  `The editors keep this report under the number ${number} in their archive, and readers may ask them for a copy of it.`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
