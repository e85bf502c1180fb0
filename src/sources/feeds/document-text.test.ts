import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decoded, documentText } from './document-text.ts'

it('decodes by the response, the byte order mark or the declaration', () => {
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', 'latin1')

  expect(decoded(latin, undefined)).toContain('é')
  expect(decoded(Buffer.from('é'), 'text/xml; charset=utf-8')).toBe('é')
  expect(decoded(Buffer.from('é'), 'text/xml; charset=klingon')).toBe('é')
})

describe('documentText', () => {
  it('decompresses a gzip file and then decodes it', () => {
    const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>'

    expect(documentText(gzipSync(Buffer.from(xml, 'latin1')), 'application/gzip', 1_000)).toBe(xml)
    expect(documentText(Buffer.from('<a>é</a>'), undefined, 1_000)).toBe('<a>é</a>')
  })

  it('stops a gzip bomb and a large document at the limit', () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))

    expect(bomb.length).toBeLessThan(20_000)
    expect(() => documentText(bomb, undefined, 20_000)).toThrow('more than 20000 bytes')
    expect(() => documentText(Buffer.alloc(11), undefined, 10)).toThrow('more than 10 bytes')
    expect(documentText(gzipSync(Buffer.alloc(10, 'a')), undefined, 1_000)).toBe('a'.repeat(10))
  })

  it('rejects broken gzip data', () => {
    expect(() => documentText(gzipSync('text').subarray(0, 12), undefined, 100)).toThrow('not readable gzip data')
    expect(() => documentText(Buffer.from([0x1f, 0x8b, 0xff]), undefined, 100)).toThrow('not readable gzip data')
  })
})
