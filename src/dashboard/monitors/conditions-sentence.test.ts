import { describe, expect, it } from 'vitest'
import type { ShownConditions } from './answers.ts'
import { conditionsSentence } from './conditions-sentence.ts'
import { NO_CONDITIONS } from './monitor-form.ts'

const sentence = (given: Partial<ShownConditions>): string => conditionsSentence({ ...NO_CONDITIONS, ...given })

describe('conditions as a sentence', () => {
  it.each<readonly [Partial<ShownConditions>, string]>([
    [
      { query: '"interest rate" ECB -crypto -"meme coin"' },
      'Stories with an article that contains “interest rate” and “ECB”, and does not contain “crypto” or “meme coin”.',
    ],
    [{ places: ['DE', 'FR', 'IT'] }, 'Stories with an article that names a place in Germany, France or Italy.'],
    [{ languages: ['de', 'und'] }, 'Stories with an article that is in German or an unknown language.'],
    [{ min_origins: 1 }, 'Stories that have at least 1 independent source.'],
    [{ min_velocity: 2.5 }, 'Stories that have at least 2.5 times the usual number of articles.'],
    [{ max_sentiment: -0.2 }, 'Stories that have a sentiment of at most −0.2.'],
    [{ min_sentiment: 0 }, 'Stories that have a sentiment of at least 0.'],
    [{ min_sentiment: -0.5, max_sentiment: 0 }, 'Stories that have a sentiment from −0.5 to 0.'],
  ])('%j', (given, expected) => {
    expect(sentence(given)).toBe(expected)
  })

  it('separates what holds for the story from what holds for one article', () => {
    expect(
      sentence({
        entity_names: ['christine lagarde'],
        categories: ['finance', 'politics'],
        sources: ['reuters.com'],
        lifecycle_states: ['breaking'],
        min_origins: 3,
      }),
    ).toBe(
      'Stories that are breaking, and have at least 3 independent sources, with an article that names christine lagarde; ' +
        'is about finance or politics; and comes from reuters.com.',
    )
  })

  it('stays short with many values', () => {
    const sources = Array.from({ length: 100 }, (_, i) => `outlet${i}.example`)

    expect(sentence({ sources })).toMatch(/outlet4\.example or 95 others\.$/)
  })

  it('names the lack of conditions', () => {
    expect(sentence({})).toBe('No conditions.')
  })
})
