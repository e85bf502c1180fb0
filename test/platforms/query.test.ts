import { expect, it } from 'vitest'
import { matches } from './query.ts'

it('reads queries as the platforms do', () => {
  const text = 'The Harbour Bridge closes, says Ada Quill'
  const holds = (query: string) =>
    matches(query, { text, operator: (name, value) => name === 'is' && value === 'reply' })

  expect(
    ['harbour bridge', '"ada quill"', 'tunnel OR bridge', '(tunnel OR bridge) closes', 'bridge -is:retweet'].map(holds),
  ).toEqual([true, true, true, true, true])
  expect(
    ['harbour tunnel', '"bridge harbour"', 'tunnel OR bridge opens', 'bridge -is:reply', 'arbour'].map(holds),
  ).toEqual([false, false, false, false, false])
})
