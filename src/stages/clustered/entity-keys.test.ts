import { describe, expect, it } from 'vitest'
import { entityKeys } from './entity-keys.ts'

const REPORT = `Dock workers at Port Tamsin voted on Tuesday to end a ten-day strike after the Northern Harbor Union accepted a 6% raise. Union leader Ada Quill said the deal, signed with Tamsin Freight Ltd., covers 4,200 workers. Mayor Ion Vale praised Quill's patience.`

const keys = (text: string): string[] => [...entityKeys(text).keys()].sort()

describe('entityKeys', () => {
  it('gives the reference names of a text, each once', () => {
    const reference =
      'ada quill, ltd, mayor ion vale, northern harbor union, port tamsin, quill, tamsin, tamsin freight ltd, union, vale'

    expect(keys(REPORT).join(', ')).toBe(reference)
    expect([...entityKeys(REPORT).values()].every((tf) => tf === 1)).toBe(true)
  })

  it('counts a phrase each time', () => {
    expect(entityKeys('said Ada Quill. He thanked Ada Quill.').get('ada quill')).toBe(2)
  })

  it('joins names over small words, and never over punctuation', () => {
    expect(keys('at the University of Texas, Austin')).toEqual(['austin', 'texas', 'university of texas'])
    expect(keys('met Mohammed bin Salman and Ion Vale')).toEqual(['ion vale', 'mohammed bin salman', 'salman', 'vale'])
  })

  it('drops titles and stop words in front, and does not take the stop of "Sen." for the end of a sentence', () => {
    expect(keys('They asked Sen. Quill and President Vale. On Tuesday Judge Orr agreed.')).toEqual([
      'orr',
      'quill',
      'vale',
    ])
  })

  it('takes a single word at the start of a sentence only if it is also capitalised inside one', () => {
    expect(keys('Workers won. Tamsin won.')).toEqual([])
    expect(keys('Workers won. Tamsin won, and for Tamsin it matters.')).toEqual(['tamsin'])
  })

  it('reads any script, and nothing out of nothing', () => {
    expect(keys('город Москва ждёт')).toEqual(['москва'])
    expect(keys('🙂 العربية')).toEqual([])
    expect(keys('')).toEqual([])
  })
})
