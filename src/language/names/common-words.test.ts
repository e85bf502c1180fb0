import { expect, it } from 'vitest'
import { isNoName } from './common-words.ts'

it.each([
  ['Suspect', 'PERSON'],
  ['Hostage', 'ORG'],
  ['POLICE DEPT', 'ORG'],
  ['Police Force', 'ORG'],
  ['gunmen', 'PERSON'],
  ['broccoli', 'GPE'],
  ['wyhaz', 'GPE'],
  ['B', 'PERSON'],
  ['President', 'PERSON'],
])('%s is no name', (name, type) => {
  expect(isNoName({ name, type })).toBe(true)
})

it.each([
  ['Kevin Vickers', 'PERSON'],
  ['Grace', 'PERSON'],
  ['Target', 'ORG'],
  ['Nice', 'GPE'],
  ['Turkey', 'GPE'],
  ['Shahada', 'PERSON'],
  ['putin', 'PERSON'],
  ['bbc', 'ORG'],
  ['JeSuisCharlie', 'PERSON'],
  ['NATO', 'ORG'],
  ['Department of Justice', 'ORG'],
  ['Kouachi', 'PERSON'],
])('%s is a name', (name, type) => {
  expect(isNoName({ name, type })).toBe(false)
})
