import { expect, it } from 'vitest'
import { aliasOf, fixedType, nameKey } from './aliases.ts'

it('reads a name past stops, case and signs', () => {
  expect(nameKey('U.N.')).toBe('un')
  expect(nameKey('Al-Qaeda')).toBe('al qaeda')
})

it('knows a name only as its own type', () => {
  expect(aliasOf('ORG', 'GOP')).toBe('Republican Party')
  expect(aliasOf('PERSON', 'GOP')).toBeUndefined()
})

it('fixes the type of names of several words, never of single ones', () => {
  expect(fixedType('White House')).toBe('ORG')
  expect(fixedType('World War II')).toBe('EVENT')
  expect(fixedType('Fed')).toBeUndefined()
})
