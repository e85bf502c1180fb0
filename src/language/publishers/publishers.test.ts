import { describe, expect, it } from 'vitest'
import { readPublishers } from '../../adapters/model-files.ts'
import { parsePublishers, publisherOf } from './publishers.ts'

const known = readPublishers()
const of = (source: string | null, url: string | null = null) => publisherOf({ source, url }, known)

describe('the shipped table', () => {
  it('has the world of news: groups in many countries, each of several outlets', () => {
    const families = new Map<string, Set<string>>()
    for (const { publisher, family } of known.domains.values()) {
      if (family !== null) families.set(family, (families.get(family) ?? new Set()).add(publisher))
    }

    expect(families.size).toBeGreaterThanOrEqual(60)
    expect([...families.values()].reduce((sum, { size }) => sum + size, 0)).toBeGreaterThanOrEqual(500)
    expect([...families].filter(([, outlets]) => outlets.size < 2)).toEqual([])
  })

  it('has bare domains in small letters', () => {
    expect([...known.domains.keys()].filter((domain) => !/^(?!www\.)(?:[a-z0-9-]+\.)+[a-z]{2,}$/.test(domain))).toEqual(
      [],
    )
    expect([...known.carriers].filter((domain) => !/^(?:[a-z0-9-]+\.)+[a-z]{2,}$/.test(domain))).toEqual([])
  })
})

it.each([
  ['CNN (Web News)', null, 'cnn', 'Warner Bros. Discovery'],
  ['Fox Online News', null, 'fox news', 'Fox'],
  ['New York Times - News', null, 'new york times', 'New York Times Company'],
  ['The Guardian', null, 'guardian', 'Guardian Media Group'],
  ['Reuters', 'https://www.reuters.com/world/x', 'reuters', null],
  [null, 'https://eu.usatoday.com/story/1', 'usa today', 'Gannett'],
  ['Free Press', 'http://www.freep.com/x', 'detroit free press', 'Gannett'],
  ['detroitnews.com', null, 'detroitnews.com', null],
  ['freep.com', null, 'detroit free press', 'Gannett'],
  ['Edinburgh Evening News', 'https://www.edinburghnews.scotsman.com/x', 'edinburgh evening news', 'National World'],
])('%s at %s is %s of %s', (source, url, publisher, family) => {
  expect(of(source, url)).toEqual({ publisher, family })
})

it('believes the address, not the name that somebody wrote', () => {
  expect(of('Fox Online News', 'https://blog.example.com/1')).toEqual({ publisher: 'fox news', family: null })
  expect(of('BBC News', 'https://www.usatoday.com/1').publisher).toBe('usa today')
})

it('believes the name where the address carries everybody', () => {
  expect(of('Business Insider', 'https://www.msn.com/en-us/news/1').family).toBe('Axel Springer')
  expect(of('Example Times', 'https://news.yahoo.com/1')).toEqual({ publisher: 'example times', family: null })
  expect(of(null, 'https://news.yahoo.com/1').publisher).toBe('yahoo.com')
})

it.each([
  ['The Example Times', null, 'example times'],
  ['  The  Example Times (blog) ', null, 'example times'],
  [null, 'https://www.example.co.uk/1', 'example.co.uk'],
  [null, 'https://news.example.com/1', 'example.com'],
  [null, null, ''],
  ['', 'no address', ''],
])('an outlet nobody knows goes by its name or its domain: %s at %s is "%s"', (source, url, publisher) => {
  expect(of(source, url)).toEqual({ publisher, family: null })
})

it('is not fooled by a word that only one outlet among many has for a name', () => {
  expect(of('Today').family).toBeNull()
  expect(of('Today', 'https://www.today.com/1').family).toBe('NBCUniversal')
})

it.each([
  ['a line too short', 'h\nGannett\tUSA Today\tusatoday.com\tyes', 'line 2'],
  ['two outlets of one address', 'h\nA\tOne\tx.com\tyes\t\nB\tTwo\tx.com\tyes\t', 'x.com is both one and two'],
])('a table with %s says so', (_, table, message) => {
  expect(() => parsePublishers(table, '')).toThrow(message)
})
