import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectPath } from '../../config/project-path.ts'
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

describe("an operator's file is laid over the shipped table", () => {
  const shipped = JSON.stringify({
    classes: { agency: { score: 0.9, why: 'x' }, satire: { score: 0.1, why: 'x' } },
    domains: {
      'a.example': { class: 'agency', names: ['A'], why: 'x' },
      'b.example': { class: 'agency', names: [], why: 'x' },
    },
  })
  const overlaid = (table: unknown) => parseCredibility(shipped, JSON.stringify(table))
  const at = (table: unknown, domain: string) =>
    credibility(overlaid(table), { url: `https://${domain}/x`, source: null })

  it('its domains win, the others stay, its classes may be new', () => {
    const table = {
      classes: { trade: { score: 0.7, why: 'our own' } },
      domains: { 'a.example': { class: 'satire', why: 'y' }, 'c.example': { class: 'trade', why: 'y' } },
    }

    expect([at(table, 'a.example'), at(table, 'b.example'), at(table, 'c.example')]).toEqual([0.1, 0.9, 0.7])
  })

  it('a class of the same name changes all of its domains', () => {
    expect(at({ classes: { agency: { score: 0.6, why: 'y' } }, domains: {} }, 'b.example')).toBe(0.6)
  })

  it.each([
    ['domains', { classes: {} }],
    ['classes.x.score', { classes: { x: { score: 2, why: 'y' } }, domains: {} }],
    ['"https://a.example/"', { domains: { 'https://a.example/': { class: 'agency', why: 'y' } } }],
    ['"www.a.example"', { domains: { 'www.a.example': { class: 'agency', why: 'y' } } }],
    ['"clas"', { domains: { 'a.example': { clas: 'agency', class: 'agency', why: 'y' } } }],
    ['unknown class: good', { domains: { 'a.example': { class: 'good', why: 'y' } } }],
  ])('an error names %s', (field, table) => {
    const message = () => {
      try {
        overlaid(table)
        return ''
      } catch (error) {
        return String(error)
      }
    }
    expect(message()).toContain(field)
  })

  it('says so when it is no JSON', () => {
    expect(() => parseCredibility(shipped, '{')).toThrow('CREDIBILITY_FILE is no JSON')
  })
})
