import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLegal, spansOfTags, TAGS, tagsOfSpans } from './tags.ts'

const tag = (name: string): number => TAGS.indexOf(name)

it('lets a name go on only as what it began as', () => {
  expect(isLegal(tag('B-PER'), tag('I-PER'))).toBe(true)
  expect(isLegal(tag('I-PER'), tag('I-PER'))).toBe(true)
  expect(isLegal(tag('O'), tag('I-PER'))).toBe(false)
  expect(isLegal(tag('B-ORG'), tag('I-PER'))).toBe(false)
  expect(isLegal(tag('I-ORG'), tag('B-PER'))).toBe(true)
})

it('turns tags to spans and back', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(TAGS.length - 1)), (raw) => {
      const tags = tagsOfSpans(spansOfTags(raw), raw.length)

      expect(tagsOfSpans(spansOfTags(tags), tags.length)).toEqual(tags)
      expect(tags.every((each, i) => isLegal(tags[i - 1] ?? 0, each))).toBe(true)
    }),
  )
})
