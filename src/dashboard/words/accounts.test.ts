import { describe, expect, it } from 'vitest'
import { accounts, type AccountsMember } from './accounts.ts'

const aMember = (article_id: string, origin: string, over: Partial<AccountsMember> = {}): AccountsMember => ({
  ...{ article_id, origin, title: `Title ${article_id}`, source: `${article_id}.example`, url: null },
  ...{ published_date: null, similarity: 0.9, is_duplicate_of: null, derived_from: null, publisher_family: null },
  ...over,
})

describe('the independent accounts of a story', () => {
  it('names who wrote each, and why the others do not count', () => {
    const found = accounts([
      aMember('wire', 'syn_1'),
      aMember('own', 'text_2'),
      aMember('copy', 'syn_1', { is_duplicate_of: 'wire' }),
      aMember('quote', 'syn_1', { derived_from: 'wire' }),
    ])

    expect(found.map(({ author, repeats }) => [author.article_id, repeats.map(({ because }) => because)])).toEqual([
      ['wire', ['re-prints wire.example', 'draws on wire.example']],
      ['own', []],
    ])
  })

  it('counts outlets of one house once', () => {
    const house = { publisher_family: 'House' }

    const [account] = accounts([aMember('a', 'family House', house), aMember('b', 'family House', house)])

    expect(account?.repeats.map(({ because }) => because)).toEqual(['is of the same house as a.example, House'])
  })

  it('says of the same house, not of another account that is drawn on too', () => {
    const house = { publisher_family: 'House' }

    const [account] = accounts([
      aMember('a', 'family House', house),
      aMember('b', 'family House', { ...house, derived_from: 'wire' }),
      aMember('wire', 'syn'),
    ])

    expect(account?.repeats.map(({ because }) => because)).toEqual(['is of the same house as a.example, House'])
  })

  it('takes a later article for the author where the earlier one re-prints it', () => {
    const [account] = accounts([aMember('early', 'syn', { is_duplicate_of: 'late' }), aMember('late', 'syn')])

    expect([account?.author.article_id, account?.repeats[0]?.because]).toEqual(['late', 're-prints late.example'])
  })

  it('says so where an outlet repeats itself', () => {
    const source = 'herald.example'

    const [account] = accounts([aMember('a', 'syn', { source }), aMember('b', 'syn', { source, is_duplicate_of: 'a' })])

    expect(account?.repeats[0]?.because).toBe('re-prints an article of its own')
  })

  it('says so where what is repeated is in another story', () => {
    const found = accounts([aMember('a', 'syn'), aMember('b', 'syn', { is_duplicate_of: 'elsewhere' })])

    expect(found[0]?.repeats[0]?.because).toBe('re-prints an earlier article')
  })
})
