import { describe, expect, it } from 'vitest'
import { readAddress, writeAddress } from './address.ts'

describe('the address', () => {
  it('says what is shown, and is read back as it was written', () => {
    const shown = {
      page: 'entities',
      id: 'ent_a b/c',
      parameters: { as_of: '2018-12-16T10:00:00Z', q: 'A & B?' },
    } as const

    const hash = writeAddress(shown)

    expect(hash).toBe('#/entities/ent_a%20b%2Fc?as_of=2018-12-16T10%3A00%3A00Z&q=A+%26+B%3F')
    expect(readAddress(hash)).toEqual(shown)
  })

  it('is short where there is nothing to say', () => {
    expect(writeAddress({ page: 'stories', id: '', parameters: { as_of: '', sort: '' } })).toBe('#/stories')
  })

  it.each(['', '#', '#/', '#/nowhere/x', '#nowhere'])('is the list of stories where it is none of ours: %s', (hash) => {
    expect(readAddress(hash)).toEqual({ page: 'stories', id: '', parameters: {} })
  })

  it('shows an address that was cut in the middle of a character', () => {
    expect(readAddress('#/stories/sto_%E2%9')).toMatchObject({ page: 'stories', id: 'sto_%E2%9' })
  })
})
