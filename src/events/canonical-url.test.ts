import { expect, it } from 'vitest'
import { parsedUrl } from './canonical-url.ts'

it('reads addresses with letters beyond ASCII, however often it is asked', () => {
  let refused = 0
  for (let i = 0; i < 20_000; i++) {
    parsedUrl(`https://a.example/${i}`)
    if (parsedUrl('https://münchen.example/straße') === null) refused += 1
  }

  expect(refused).toBe(0)
})

it.each(['', 'no url', '//host/path', 'https://'])('reads %j as none', (text) => {
  expect(parsedUrl(text)).toBeNull()
})

it('reads a relative address by its base', () => {
  expect(parsedUrl('../b', 'https://a.example/x/y')?.href).toBe('https://a.example/b')
})
