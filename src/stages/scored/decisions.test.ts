import { describe, expect, it } from 'vitest'
import { A_DAY, anIngestedArticle } from '../../../test/builders/articles.ts'
import { cleaned } from './clean-article.ts'
import { gate, occurredAt } from './stage.ts'

const clean = (over: Parameters<typeof anIngestedArticle>[0]) => cleaned(anIngestedArticle(over))
const long = 'The mayor spoke. '

describe('an article is refused', () => {
  it.each([
    ['namespace_invalid', { namespace: 'No Good' }],
    ['namespace_invalid', { namespace: '' }],
    ['url_invalid', { url: 'not a url' }],
    ['url_invalid', { url: 'ftp://example.com/x' }],
    ['url_too_long', { url: 'https://example.com/'.padEnd(8_193, 'x') }],
    ['title_too_long', { title: 'x'.repeat(10_001) }],
    ['source_too_long', { source: 'x'.repeat(5_000_000) }],
    ['author_too_long', { author: 'x'.repeat(10_001) }],
    ['job_id_invalid', { job_id: 'x'.repeat(201) }],
    ['published_date_invalid', { published_date: Number.NaN }],
    ['published_date_invalid', { published_date: 9e15 }],
    ['published_date_invalid', { published_date: -3e12 }],
    ['text_too_short', { text: ` ${'x'.repeat(99)}\n\n ` }],
    ['text_too_short', { text: `<p class="${'x'.repeat(200)}">Short.</p>` }],
    ['text_too_short', { text: '\u0000'.repeat(500) }],
    ['text_too_long', { text: 'x'.repeat(200_001) }],
  ])('%s %#', (reason, over) => {
    expect(clean(over)).toBe(reason)
  })
})

describe('an article is cleaned', () => {
  it('of mark-up, NULs and broken characters, in text and title', () => {
    const article = clean({
      title: '<b>Storm</b> &amp; flood\ud800 ',
      text: `<p>${long.repeat(8)}</p><script>x()</script><p>Done\u0000 👍</p>`,
    })

    expect(article).toMatchObject({ title: 'Storm & flood', text: `${long.repeat(8).trim()}\n\nDone 👍` })
  })

  it('keeps emoji and right-to-left text', () => {
    const text = 'قالت الحكومة يوم الثلاثاء إن المحادثات ستستأنف. 👩‍👩‍👧 שלום. '.repeat(3).trim()

    expect(clean({ text })).toMatchObject({ text })
  })

  it('takes what is blank for missing and keeps the address as it was given', () => {
    expect(clean({ url: ' ', title: '<p></p>', source: '', author: '  ' })).toMatchObject({
      url: null,
      title: null,
      source: null,
      author: null,
    })
    expect(clean({ url: 'HTTP://WWW.Example.com:80/a/?utm_source=x#y' })).toMatchObject({
      url: 'HTTP://WWW.Example.com:80/a/?utm_source=x#y',
    })
  })

  it('cuts an endless title between characters', () => {
    expect(clean({ title: `x${'🎉'.repeat(9_000)}` })).toMatchObject({ title: `x${'🎉'.repeat(499)}` })
  })

  it('exactly 100 and 200,000 characters are welcome', () => {
    expect(clean({ text: 'x'.repeat(100) })).toMatchObject({ text: 'x'.repeat(100) })
    expect(clean({ text: 'x'.repeat(200_000) })).toMatchObject({ text: 'x'.repeat(200_000) })
  })
})

it('event time is the publication, at most the arrival, and the arrival without a date', () => {
  expect(occurredAt(A_DAY, A_DAY + 5)).toBe(A_DAY)
  expect(occurredAt(A_DAY + 9, A_DAY + 5)).toBe(A_DAY + 5)
  expect(occurredAt(null, A_DAY + 5)).toBe(A_DAY + 5)
})

it('the gate stands in the shared namespace only', () => {
  expect(gate('shared', 0.53, 0.53)).toEqual({ forwarded: true, gate_reason: 'passed' })
  expect(gate('shared', 0.5299, 0.53)).toEqual({ forwarded: false, gate_reason: 'below_gate' })
  expect(gate('acme', 0, 0.53)).toEqual({ forwarded: true, gate_reason: 'private_bypass' })
})
