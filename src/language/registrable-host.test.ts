import { expect, it } from 'vitest'
import { registrableHost } from './registrable-host.ts'

it.each([
  ['www.example.com', 'example.com'],
  ['news.bbc.co.uk', 'bbc.co.uk'],
  ['www.folha.uol.com.br', 'uol.com.br'],
  ['www.asahi.co.jp', 'asahi.co.jp'],
  ['anna.github.io', 'anna.github.io'],
  ['co.uk', 'co.uk'],
  ['localhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
])('%s is of %s', (host, of) => {
  expect(registrableHost(host)).toBe(of)
})
