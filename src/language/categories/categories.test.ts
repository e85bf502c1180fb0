import { describe, expect, it } from 'vitest'
import { axisVector } from '../../../test/builders/articles.ts'
import { readCategories } from '../../adapters/model-files.ts'
import { categoriesOf, parseCategories } from './categories.ts'

const aFile = (over: object = {}) =>
  JSON.stringify({
    encoder: 'test',
    categories: [
      { name: 'politics', threshold: 0.5, bias: -1, weights: weightsAt({ 0: 2, 1: 0.5 }) },
      { name: 'finance', threshold: 0.9, bias: 0, weights: weightsAt({ 0: 2, 1: 2.2 }) },
    ],
    ...over,
  })

const weightsAt = (at: Readonly<Record<number, number>>) => Array.from({ length: 384 }, (_, i) => at[i] ?? 0)

describe('categories of an article', () => {
  const categories = parseCategories(aFile())

  it('are those whose probability reaches their own threshold', () => {
    expect(categoriesOf(axisVector(0), categories)).toEqual(['politics']) // finance: 1 / (1 + e^-2) = 0.88
    expect(categoriesOf(axisVector(1), categories)).toEqual(['finance']) // 1 / (1 + e^-2.2) = 0.90
    expect(categoriesOf(axisVector(2), categories)).toEqual([])
  })

  it('may be several, in alphabetical order', () => {
    const both = Float32Array.from([0.8, 0.6, ...Array.from({ length: 382 }, () => 0)])

    expect(categoriesOf(both, categories)).toEqual(['finance', 'politics'])
  })

  it('are none of a vector that is not the encoder’s', () => {
    expect(categoriesOf(new Float32Array(), categories)).toEqual([])
    expect(categoriesOf(new Float32Array(768).fill(1), categories)).toEqual([])
  })
})

it('the shipped weights know all five', () => {
  expect(readCategories().map(({ name }) => name)).toEqual([
    'technology',
    'politics',
    'finance',
    'geopolitics',
    'health',
  ])
})

it('a file of another form is an error', () => {
  expect(() =>
    parseCategories(aFile({ categories: [{ name: 'sports', threshold: 0.5, bias: 0, weights: [] }] })),
  ).toThrow()
})
