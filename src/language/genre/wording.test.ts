import { expect, it } from 'vitest'
import { WORDING_WIDTH, wordingOf } from './wording.ts'

const TITLE = 'Bridge to close'
const sharesOf = (
  body: string,
  title: string | null = TITLE,
  url: string | null = null,
): ReadonlyMap<number, number> => {
  const { buckets, shares } = wordingOf({ url, title, body })
  return new Map([...buckets].map((bucket, i) => [bucket, shares[i] ?? 0]))
}

it('is the same at each run, whatever the case, the apostrophes and the numbers', () => {
  expect(sharesOf('The mayor’s plan costs 48 million.')).toEqual(sharesOf("the MAYOR'S plan costs 7, million"))
})

it('leaves out what is quoted, but not that something is quoted', () => {
  const said = sharesOf('“We are ashamed of this,” she said.')

  expect(said).toEqual(sharesOf('“Nothing to add,” she said.'))
  expect(said).not.toEqual(sharesOf('She said.'))
})

it('keeps the words of a title apart from those of a text', () => {
  expect(sharesOf('', 'harbour')).not.toEqual(sharesOf('harbour', null))
})

it('sees the host and the sections of an address, but not the name of the article', () => {
  const at = (url: string): ReadonlyMap<number, number> => sharesOf('', null, url)

  expect(at('https://www.example.com/politics/bridge-closed')).toEqual(
    at('http://example.com/politics/a1.html?id=2#top'),
  )
  expect(at('https://example.com/politics/bridge')).not.toEqual(at('https://example.com/views/bridge'))
  expect(at('https://example.com/politics/bridge')).not.toEqual(at('https://example.org/politics/bridge'))
  expect(at('bridge')).toEqual(new Map())
})

it('sees the order of neighbours', () => {
  expect(sharesOf('we should close it')).not.toEqual(sharesOf('should we close it'))
})

it('is bounded in buckets, in size and by the beginning of a text', () => {
  for (const body of ['', '?'.repeat(9_000), 'word '.repeat(50_000), '“'.repeat(5_000), '港口大桥'.repeat(999)]) {
    const { buckets, shares } = wordingOf({ url: `https://${body}/${body}/a`, title: body, body })

    expect(buckets.every((bucket) => bucket < WORDING_WIDTH)).toBe(true)
    expect(Math.hypot(...shares)).toBeLessThan(10)
  }
  const long = 'The mayor spoke. '.repeat(2_000)
  expect(sharesOf(`${long} Other words.`)).toEqual(sharesOf(long))
})
