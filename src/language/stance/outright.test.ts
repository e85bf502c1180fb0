import { expect, it } from 'vitest'
import { outright } from './outright.ts'

it.each([
  'This is fake, the pool never closed',
  '@paper Hoax. Trams still run',
  'That never happened',
  'I don’t believe this for a second',
  'The minister is lying about the numbers',
  'This is not true, I live there',
])('hears a denial in so many words: %s', (text) => {
  expect(outright(text)).toBe('deny')
})

it.each([
  'Confirmed, I saw it',
  '@paper Yes, the school is closed',
  'I fully agree with the minister',
  'It is true, the road is blocked',
  'Great decision by the council',
])('hears support in so many words: %s', (text) => {
  expect(outright(text)).toBe('support')
})

it.each([
  'Is this true?',
  'Confirmed? By whom?',
  'It’s not a hoax, I was there',
  'Nobody confirmed it, yet it is said to be confirmed',
  'Yes, but no. Not confirmed',
  'So sad for the town',
  'lol',
  '',
])('hears neither where somebody asks, takes it back or says nothing of it: %s', (text) => {
  expect(outright(text)).toBe(null)
})
