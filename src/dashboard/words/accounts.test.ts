import { describe, expect, it } from 'vitest'
import { independentSources, type AccountsMember } from './accounts.ts'

const aMember = (article_id: string, origin: string, over: Partial<AccountsMember> = {}): AccountsMember => ({
  ...{ article_id, origin, title: `Title ${article_id}`, source: `${article_id}.example`, url: null },
  ...{
    published_date: null,
    language: 'en',
    similarity: 0.9,
    is_duplicate_of: null,
    derived_from: null,
    publisher_family: null,
  },
  ...over,
})

describe('the independent sources of a story', () => {
  it('lists the original of each, and why the other articles do not count', () => {
    const found = independentSources([
      aMember('wire', 'syn_1'),
      aMember('own', 'text_2'),
      aMember('copy', 'syn_1', { is_duplicate_of: 'wire' }),
      aMember('quote', 'syn_1', { derived_from: 'wire' }),
    ])

    expect(found.map(({ author, repeats }) => [author.article_id, repeats.map(({ because }) => because)])).toEqual([
      ['wire', ['reprints wire.example', 'is derived from wire.example']],
      ['own', []],
    ])
  })

  it('says what a translation has in common with the article', () => {
    const translation = { length_distance: 0.09, sentences: 14, shared_numerals: 9, numerals: 10 }
    const [account] = independentSources([
      aMember('wire', 'syn_1'),
      aMember('german', 'syn_1', { derived_from: 'wire', translation, language: 'de' }),
      aMember('copy', 'syn_1', { is_duplicate_of: 'german', derived_from: 'wire', translation, language: 'de' }),
    ])

    expect(account?.repeats).toMatchObject([
      {
        because: 'translates wire.example',
        evidence: '14 sentences of about the same lengths and 9 of 10 numerals in the same order',
      },
      { because: 'reprints german.example', evidence: '' },
    ])
  })

  it('counts outlets of one publisher once', () => {
    const house = { publisher_family: 'House' }

    const [account] = independentSources([aMember('a', 'family House', house), aMember('b', 'family House', house)])

    expect(account?.repeats.map(({ because }) => because)).toEqual(['has the same publisher as a.example, House'])
  })

  it('prefers the common publisher to a derivation from another source', () => {
    const house = { publisher_family: 'House' }

    const [account] = independentSources([
      aMember('a', 'family House', house),
      aMember('b', 'family House', { ...house, derived_from: 'wire' }),
      aMember('wire', 'syn'),
    ])

    expect(account?.repeats.map(({ because }) => because)).toEqual(['has the same publisher as a.example, House'])
  })

  it('treats a later article as the original if the earlier one reprints it', () => {
    const [account] = independentSources([aMember('early', 'syn', { is_duplicate_of: 'late' }), aMember('late', 'syn')])

    expect([account?.author.article_id, account?.repeats[0]?.because]).toEqual(['late', 'reprints late.example'])
  })

  it('recognises an outlet that reprints its own article', () => {
    const source = 'herald.example'

    const [one] = independentSources([
      aMember('a', 'syn', { source }),
      aMember('b', 'syn', { source, is_duplicate_of: 'a' }),
    ])

    expect(one?.repeats[0]?.because).toBe('reprints its own article')
  })

  it('handles a reprint of an article in another story', () => {
    const found = independentSources([aMember('a', 'syn'), aMember('b', 'syn', { is_duplicate_of: 'elsewhere' })])

    expect(found[0]?.repeats[0]?.because).toBe('reprints an earlier article')
  })
})
