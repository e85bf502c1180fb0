import { expect, it } from 'vitest'
import { stays } from './certainty.ts'

it.each([
  [1, 'very likely to stay (100 %)'],
  [0.998, 'very likely to stay (99 %)'],
  [0.87, 'likely to stay (87 %)'],
  [0.6, 'may move (60 %)'],
  [0.2, 'likely to move (20 %)'],
  [0, 'likely to move (0 %)'],
])('says how sure it is that an article stays: %s', (confidence, words) => {
  expect(stays(confidence)).toBe(words)
})
