import { describe, expect, it } from 'vitest'
import { decodePage } from './decode-page.ts'

/** Characters of the encodings below with their bytes, which Node cannot write. */
const RUSSIAN = { text: 'Привет', bytes: [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2] }
const JAPANESE = { text: '日本', bytes: [0x93, 0xfa, 0x96, 0x7b] }
const CHINESE = { text: '中国', bytes: [0xd6, 0xd0, 0xb9, 0xfa] }

const page = (charset: string, bytes: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from(`<meta charset="${charset}"><p>`), Buffer.from(bytes)])

describe('decodePage', () => {
  it.each([
    ['windows-1251', RUSSIAN],
    ['shift_jis', JAPANESE],
    ['gb18030', CHINESE],
  ])('reads the charset %s of a meta element', (charset, { text, bytes }) => {
    expect(decodePage(page(charset, bytes), null)).toContain(text)
  })

  it('prefers the header to the meta element', () => {
    expect(decodePage(page('utf-8', RUSSIAN.bytes), 'text/html; charset=windows-1251')).toContain(RUSSIAN.text)
  })

  it('prefers the byte order mark to the header', () => {
    const bytes = Buffer.from('\ufeff<p>Grüße')

    expect(decodePage(bytes, 'text/html; charset=windows-1251')).toBe('<p>Grüße')
  })

  it('reads valid UTF-8 without a declaration', () => {
    expect(decodePage(Buffer.from('<p>Grüße €'), null)).toBe('<p>Grüße €')
  })

  it('reads other bytes as windows-1252, also if UTF-8 is declared', () => {
    const bytes = [0x80, 0x20, 0xfc] // `€ ü`

    expect(decodePage(Buffer.from(bytes), null)).toBe('€ ü')
    expect(decodePage(page('utf-8', bytes), null)).toContain('€ ü')
  })

  it('reads an unknown charset as UTF-8', () => {
    expect(decodePage(Buffer.from('<p>Grüße'), 'text/html; charset=klingon')).toBe('<p>Grüße')
  })
})
