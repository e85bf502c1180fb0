import { describe, expect, it } from 'vitest'
import { characters, intake, isMoment, isNamespace, parseMoment, textRefusal } from './articles.ts'

const text = 'A sentence of news. '.repeat(6)

describe('parseMoment', () => {
  it.each([
    ['2018-12-31', '2018-12-31T00:00:00.000Z'],
    ['2018-12-31T10:20:30Z', '2018-12-31T10:20:30.000Z'],
    ['2018-12-31T10:20:30', '2018-12-31T10:20:30.000Z'],
    ['2018-12-31 10:20', '2018-12-31T10:20:00.000Z'],
    ['2018-12-31T10:20:30.1234567+02:00', '2018-12-31T08:20:30.123Z'],
    ['2018-12-31T10:20:30-0530', '2018-12-31T15:50:30.000Z'],
    ['2016-02-29', '2016-02-29T00:00:00.000Z'],
  ])('reads %s as %s', (given, iso) => {
    expect(parseMoment(given)).toBe(Date.parse(iso))
  })

  it.each([
    '',
    'yesterday',
    '2018-02-30',
    '2018-13-01',
    '2018-12-31T24:00',
    '31.12.2018',
    '1543536000',
    '0018-01-01',
    '2018-12-31T10:00:00+99:99',
    '2018-12-31T10:00:00+25:00',
  ])('refuses %j', (given) => {
    expect(parseMoment(given)).toBeNull()
  })
})

describe('intake', () => {
  it('trims, leaves unknown fields alone and makes empty ones null', () => {
    const given = { text: ` ${text} `, url: ' https://a.example/x ', title: '', published_date: '2018-01-02', topic: 7 }

    expect(intake(given)).toEqual({
      kind: 'article',
      fields: {
        text: text.trim(),
        url: 'https://a.example/x',
        title: null,
        source: null,
        author: null,
        published_date: Date.UTC(2018, 0, 2),
      },
    })
  })

  it('makes every field what UTF-8 can carry, so that the id told is the id found', () => {
    const url = 'https://a.example/\udfff😀'

    expect(intake({ text: `${text}\ud83d`, url, title: '\udc00x' })).toMatchObject({
      fields: { text: `${text}\ufffd`, url: 'https://a.example/\ufffd😀', title: '\ufffdx' },
    })
  })

  it.each([
    [{}, 'text_missing'],
    [{ text: null }, 'text_missing'],
    [{ text: '   ' }, 'text_missing'],
    [{ text: 'x'.repeat(99) }, 'text_too_short'],
    [{ text: 'x'.repeat(200_001) }, 'text_too_long'],
    [{ text, url: `https://a.example/${'x'.repeat(8_192)}` }, 'url_too_long'],
    [{ text, title: 'x'.repeat(10_001) }, 'title_too_long'],
    [{ text, source: 'x'.repeat(10_001) }, 'source_too_long'],
    [{ text, author: '🌍'.repeat(10_001) }, 'author_too_long'],
    [{ text, url: 'ftp://a.example/x' }, 'url_invalid'],
    [{ text, url: 'not an address' }, 'url_invalid'],
    [{ text, published_date: 'soon' }, 'published_date_invalid'],
    [{ text, title: 7 }, 'field_invalid'],
    [{ text: ['x'] }, 'field_invalid'],
  ])('refuses %j as %s', (given, reason) => {
    expect(intake(given)).toMatchObject({ kind: 'refused', reason })
  })

  it('lets in the longest address, title and names, counting what a reader would', () => {
    const url = 'https://a.example/'.padEnd(8_192, 'x')
    const longest = { url, title: 'x'.repeat(10_000), source: '🌍'.repeat(10_000), author: ` ${'x'.repeat(10_000)} ` }

    expect(intake({ text, ...longest })).toMatchObject({ kind: 'article', fields: { url } })
  })

  it('lets in exactly 100 and 200,000 characters, counting what a reader would', () => {
    expect(textRefusal('x'.repeat(100))).toBeNull()
    expect(textRefusal('x'.repeat(200_000))).toBeNull()
    expect(textRefusal('🌍'.repeat(99))).toBe('text_too_short')
    expect(textRefusal('🌍'.repeat(150_000))).toBeNull()
    expect(characters('a🌍')).toBe(2)
  })
})

it('knows a namespace and a moment the store can hold', () => {
  expect(['shared', 'a-1'].map(isNamespace)).toEqual([true, true])
  expect(['ab', 'Shared', 'a b c', 'x'.repeat(41)].map(isNamespace)).toEqual([false, false, false, false])
  expect([0, 9e15, Number.NaN].map(isMoment)).toEqual([true, false, false])
})
