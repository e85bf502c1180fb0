import { describe, expect, it } from 'vitest'
import { outcomeIn } from './outcomes.ts'

describe('the outcome in a headline', () => {
  it.each([
    ['Bridge inspector arrested at the airport', 'an arrest or a charge'],
    ['Appeals court refuses to reinstate the ban', 'a verdict or a ruling'],
    ['Minister resigns after report on the harbour', 'a resignation, a dismissal or a withdrawal'],
    ['Judge sworn in as head of the court', 'an appointment or an election'],
    ['House passes sweeping harbour bill', 'a vote or an act of law'],
    ['Senators strike deal to end the strike', 'an agreement'],
    ['China retaliates with tariffs on imports', 'an attack or a sanction'],
    ['Former mayor dies at 81', 'a death or an attack'],
  ])('%s: %s', (headline, outcome) => {
    expect(outcomeIn(headline)).toBe(outcome)
  })

  it.each([
    'Minister vows to stay until the bill passes',
    'Senate could vote on the bill today',
    "Mayor won't be fired, the council says",
    'Chief talks of the inquiry after the minister was fired',
    'Is the bill dead?',
    "Two senators call the bill 'dead'",
    'Opinion: The House passes a bad bill',
    'Why the minister resigned',
    'Critics see signs of improper ties',
    'North claims it has won the war',
    'Harbour bridge to close for two years',
  ])('none: %s', (headline) => {
    expect(outcomeIn(headline)).toBeNull()
  })
})
