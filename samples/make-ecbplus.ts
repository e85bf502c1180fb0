/**
 * Makes samples/ecbplus.jsonl.gz from the ECB+ corpus (see NOTICE.md): `npx tsx samples/make-ecbplus.ts CORPUS.jsonl.gz`.
 * The corpus gives each text as tokens joined by spaces, its address in front. This puts the spaces back where a
 * newspaper has them, takes address, headline and date line off the text, and leaves every label behind.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { canonicalUrl } from '../src/events/canonical-url.ts'
import { sha256 } from '../src/events/ids.ts'
import { intake } from '../src/domain/intake/articles.ts'

const URL_JOINT = /^[/\-_.?#=&~,:;%+!]/
const URL_OPEN = /[/\-_.?#=&~,:;%+!]$/

/** The address a text begins with, and the rest. After a closing slash a headline starts with a plain capital word. */
function splitUrl(text: string): { url: string; rest: string } | null {
  if (!/^https?: \/ \//.test(text)) return null
  const tokens = text.split(' ')
  let url = ''
  let at = 0
  for (; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    const next = tokens[at + 1] ?? ''
    if (at > 0 && !URL_OPEN.test(url) && !URL_JOINT.test(token)) break
    const headline = /^["“'‘]?\p{Lu}[\p{L}’']*[,:]?$/u.test(token) && !/^[/\-_.?#=&]/.test(next)
    if (at > 2 && url.endsWith('/') && headline && !/^https?:\/\/[^/]*\/$/.test(url)) break
    if (at > 2 && /^https?:\/\/[^/]*\/$/.test(url) && headline) break
    url += token
  }
  return { url, rest: tokens.slice(at).join(' ') }
}

const FUNCTION_WORD =
  /^(the|an?|and|but|who|whom|which|that|he|she|it|they|we|i|is|was|were|are|has|had|have|including|with|or|as|because|when|where|while|if|not|his|her|their|its|this|these|those|there)$/i

/** Spaces as a newspaper sets them. */
function detokenised(tokens: string): string {
  const text = tokens
    .replace(/``\s*/g, '“')
    .replace(/\s*''/g, '”')
    .replace(/(\p{L}|\d) n't\b/gu, "$1n't")
    .replace(/(\p{L}|\d) ?(['’]) (s|t|re|ve|ll|d|m)\b/giu, '$1$2$3')
    .replace(/([“‘([{]) /g, '$1')
    .replace(/ ([”)\]},.;:!?…])/g, '$1')
    .replace(/s ’ /g, 's’ ')
    .replace(/ ’/g, '’')
    .replace(/([$£€#]) (?=\d)/g, '$1')
    .replace(/(\d) %/g, '$1%')
    .replace(/(\d), (\d{3})(?!\d)/g, '$1,$2')
    .replace(/(\d)\. (\d{1,2})(?!\d|:)(?= ?(?:million|billion|percent|per|%|[a-z]|\p{Lu}{2,}))/gu, '$1.$2')
    .replace(/(\d): (\d\d)(?!\d)/g, '$1:$2')
    .replace(/(:\d\d): (\d\d)(?!\d)/g, '$1:$2')
    .replace(/(\p{L}|\d)\. (com|org|net|gov|edu|co|tv)\b/gu, '$1.$2')
    .replace(/(\p{L}|\d) \/ (?=\p{L}|\d)/gu, '$1/')
    .replace(/\b(\p{Lu})\. (?=\p{Lu}\.)/gu, '$1.')
    .replace(/\b([ap])\. (m)\b/g, '$1.$2')
    .replace(/ _ /g, ' ')
  return quoted(hyphened(text)).replace(/\s+/g, ' ').trim()
}

/** The corpus has a space on both sides of every hyphen; only clauses keep them. */
function hyphened(text: string): string {
  let out = text
  for (let before = ''; before !== out; ) {
    before = out
    out = out.replace(/ - (and|the|or|of|in|to|a|by|on|up|at|for) - /gi, '-$1-')
    out = out.replace(/(\S+) - (\S+)/gu, (_, left: string, right: string) => {
      const word = right.replace(/[^\p{L}\d]/gu, '')
      const dateline = /^\p{Lu}{3,}$/u.test(left) && /^\p{Lu}/u.test(right)
      const joins = /[\p{L}\d.]$/u.test(left) && !/\p{L}{3,}\.$/u.test(left) && /^[\p{L}\d]/u.test(right)
      return joins && !dateline && !FUNCTION_WORD.test(word) ? `${left}-${right}` : `${left} – ${right}`
    })
  }
  return out
}

/** Straight quotation marks open and close in turn. */
function quoted(text: string): string {
  let open = false
  const double = text.replace(/(\s*)"(\s*)/g, () => {
    open = !open
    return open ? ' "' : '" '
  })
  return double
    .replace(/" ([,.;:!?)])/g, '"$1')
    .replace(/\( "/g, '("')
    .replace(/(\p{L})'(?!(?:s|t|re|ve|ll|d|m)\b)(\p{L}[\p{L}\d ,-]{2,70}?[\p{L}\d,])'(?=[\s.,!?])/giu, "$1 '$2'")
}

const MONTH = '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?'
const WEEKDAY = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,?'
const DATE = `(?:${WEEKDAY} )?(?:the )?(?:${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|\\d{1,2}(?:st|nd|rd|th)?(?:-| )${MONTH},?(?:-| )\\d{4}|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4})`
const TIME = '\\d{1,2}:?\\d{0,2}(?::\\d\\d)? ?(?:[ap]\\.?m\\.?)?(?: ?\\(?[A-Z]{2,4}(?:[+-]\\d\\d:?\\d\\d)?\\)?)?(?= |$)'
const WORD_BEFORE = '(?:(?:first |last |originally )?(?:published|posted|updated|created|modified|submitted|added)(?: (?:on|at|by|:))*:?)'
const DATELINE = new RegExp(`^(?:(?:${WORD_BEFORE}|on|at|@) ?)*(?:${TIME} )?${DATE}(?:,? ?(?:\\||at|-|–|—|@|,)* ?${TIME})?(?: ?[|–—·-])* ?`, 'iu')
const CLOCK = '\\d{1,2}(?::\\d\\d)+(?: ?[ap]\\.?m\\.?|[ap]\\b)?(?: \\(?(?:[A-Z]{2,4})(?:[+-]\\d\\d:?\\d\\d)?\\)?)?|\\d{1,2} ?[ap]\\.m\\.'
const MARK = new RegExp(`\\s(?:${WORD_BEFORE} ?)+|\\s(?:on )?${DATE}|\\s${CLOCK}`, 'iu')
const LEFT_OVER = new RegExp(`^[\\s,|:–—-]*(?:(?:${CLOCK}|[AP]M|[A-Z]{2}T|GMT|UK)(?=[\\s,]|$)[\\s,|:–—-]*)+`, 'u')

/** Without the dates and "published on" that a page puts around its headline. */
function withoutDateline(text: string): string {
  let out = text
  for (let before = ''; before !== out; ) {
    before = out
    out = out.replace(DATELINE, '').replace(new RegExp(`^${WORD_BEFORE} `, 'iu'), '').replace(LEFT_OVER, '')
  }
  return out.trim()
}

const words = (text: string): string[] => text.toLowerCase().replace(/['’]s?/g, '').match(/[\p{L}\d]+/gu) ?? []

/** Words that begin the text and agree best with the words of the address: most outlets write the headline into it. */
function bySlug(text: string, url: string): string | null {
  const path = new URL(url).pathname.split('/').filter((part) => (part.match(/[a-z]{3,}/gi)?.length ?? 0) >= 3)
  const slug = new Set(words((path.at(-1) ?? '').replace(/\.\w+$/, '').replaceAll(/[-_]/g, ' ')).filter((w) => !/^\d+$/.test(w)))
  if (slug.size < 3) return null
  const tokens = text.split(' ')
  let best = { end: 0, score: 0 }
  let matched = new Set<string>()
  let counted = 0
  for (const [index, token] of tokens.slice(0, 26).entries()) {
    const own = words(token)
    counted += own.length
    matched = new Set([...matched, ...own.filter((word) => slug.has(word))])
    const score = (2 * matched.size) / (slug.size + counted)
    if (own.some((word) => slug.has(word)) && score >= best.score) best = { end: index + 1, score }
  }
  if (best.score < 0.62) return null
  return tokens.slice(0, best.end).join(' ')
}

/** What stands before the date line, where that is as long as a headline. */
function byDateline(text: string): string | null {
  const at = text.slice(0, 180).search(MARK)
  return at >= 15 ? text.slice(0, at) : null
}

/** An address often lacks the last words of a headline, which then stand between it and the date line. */
function longer(slug: string | null, dateline: string | null): string | null {
  if (slug === null || dateline === null) return slug ?? dateline
  const rest = dateline.startsWith(slug) ? dateline.slice(slug.length).trim().split(' ') : []
  return rest.length > 0 && rest.length <= 8 ? dateline : slug
}

const SUFFIX = /^(?:['"”’!?.)]+)/

function split(text: string, url: string): { title: string | null; body: string } {
  const start = withoutDateline(text)
  const title = longer(bySlug(start, url), byDateline(start))
  if (title === null) return { title: null, body: start }
  const rest = start.slice(title.length)
  const suffix = SUFFIX.exec(rest)?.[0] ?? ''
  return { title: (title + suffix).replace(/[\s:|–—-]+$/, ''), body: withoutDateline(rest.slice(suffix.length).trim()) }
}

interface EcbSample {
  readonly url: string
  readonly title: string | null
  readonly source: string
  readonly text: string
}

function sample(text: string): EcbSample | null {
  const found = splitUrl(text)
  const canonical = found === null ? null : canonicalUrl(found.url)
  if (found === null || canonical === null) return null
  const url = found.url.replace(/#.*$/, '')
  const { title, body } = split(detokenised(found.rest), url)
  const article = { url, title, source: new URL(canonical).hostname, text: body }
  const begins = (word: string): boolean => /^["“'‘(]?[\p{Lu}\d]/u.test(word)
  const cut = !begins(title ?? body) || !begins(body) // part of it went with the address
  return !cut && intake({ ...article }).kind === 'article' ? article : null
}

function main([corpus]: readonly string[]): void {
  if (corpus === undefined) throw new Error('usage: npx tsx samples/make-ecbplus.ts CORPUS.jsonl.gz')
  const rows = gunzipSync(readFileSync(corpus)).toString('utf8').split('\n').filter(Boolean)
  const samples = new Map<string, EcbSample>()
  const stories = new Set<string>()
  for (const row of rows) {
    const { text, story } = JSON.parse(row) as { text: string; story: string }
    const made = sample(text)
    const id = made === null ? null : canonicalUrl(made.url)
    if (made === null || id === null || samples.has(id)) continue
    samples.set(id, made)
    stories.add(story)
  }
  // An order that follows from the addresses alone: stories are mixed as they would be in the log.
  const ordered = [...samples].sort(([a], [b]) => (sha256(a).toString('hex') < sha256(b).toString('hex') ? -1 : 1))
  const lines = ordered.map(([, one]) => JSON.stringify(one)).join('\n')
  writeFileSync(new URL('ecbplus.jsonl.gz', import.meta.url), gzipSync(`${lines}\n`, { level: 9 }))
  const outlets = new Set(ordered.map(([, { source }]) => source))
  const untitled = ordered.filter(([, { title }]) => title === null).length
  process.stdout.write(`${ordered.length} articles, ${stories.size} stories, ${outlets.size} outlets, ${untitled} without a title\n`)
}

main(process.argv.slice(2))
