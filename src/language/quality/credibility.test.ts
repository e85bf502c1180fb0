import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectPath } from '../../project-path.ts'
import { credibility, NEUTRAL, parseCredibility } from './credibility.ts'

const known = parseCredibility(readFileSync(projectPath('models/credibility/domains.json'), 'utf8'))
const of = (url: string | null, source: string | null = null) => credibility(known, { url, source })

describe('a publisher is known by its address', () => {
  it('an agency is worth more than an unknown site, that more than satire', () => {
    expect(of('https://www.reuters.com/world/x')).toBeGreaterThan(of('https://unheard-of.example/x'))
    expect(of('https://www.theonion.com/x')).toBeLessThan(of('https://unheard-of.example/x'))
  })

  it('sub-domains stand under their domain, look-alikes do not', () => {
    expect(of('http://edition.cnn.com/2016/x')).toBe(of('https://cnn.com/'))
    expect(of('https://cnn.com.evil.example/')).toBe(NEUTRAL)
    expect(of('https://notcnn.com/')).toBe(NEUTRAL)
  })

  it('a name counts only without an address', () => {
    expect(of(null, ' reuters ')).toBe(of('https://reuters.com/'))
    expect(of('https://unheard-of.example/x', 'Reuters')).toBe(NEUTRAL)
    expect(of(null)).toBe(NEUTRAL)
  })
})

it('is between 0 and 1 for any address and any name', () => {
  fc.assert(
    fc.property(fc.option(fc.oneof(fc.webUrl(), fc.string())), fc.option(fc.string()), (url, source) => {
      expect(of(url, source)).toBeGreaterThanOrEqual(0)
      expect(of(url, source)).toBeLessThanOrEqual(1)
    }),
  )
})

it('refuses a table that names a class it does not have', () => {
  const table = { classes: {}, domains: { 'a.example': { class: 'good', names: [], why: 'because' } } }

  expect(() => parseCredibility(JSON.stringify(table))).toThrow('a.example')
})
