import { expect, it } from 'vitest'
import { nextCursor, withoutHeader } from './download-csv.ts'

it('continues with the cursor of the next page, until there is none', () => {
  expect(nextCursor('</v1/stories?limit=20&cursor=a%2Bb&format=csv>; rel="next"')).toBe('a+b')
  expect(nextCursor(null)).toBeNull()
})

it('keeps the header line of the first page only', () => {
  expect(withoutHeader('id,title\r\na,"one\r\nline"\r\n')).toBe('a,"one\r\nline"\r\n')
  expect(withoutHeader('id,title\r\n')).toBe('')
})
