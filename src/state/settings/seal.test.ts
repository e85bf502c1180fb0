import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sealing } from './seal.ts'

const SECRET = 'a secret of at least 32 characters'

it('a sealed text comes back under the same key, purpose and subject, and no two seals are alike', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, about) => {
      const { seal, unseal } = sealing(SECRET, 'webhooks')
      const [one, two] = [seal(text, about), seal(text, about)]

      expect([unseal(one, about), unseal(two, about)]).toEqual([text, text])
      expect(one.equals(two)).toBe(false)
    }),
  )
})

it('nobody reads it with another secret, for another purpose, about another thing, or with one bit changed', () => {
  const sealed = sealing(SECRET, 'webhooks').seal('whsec_abc', 'whk_a')
  const bent = Buffer.from(sealed)
  bent.writeUInt8(bent.readUInt8(30) ^ 1, 30)

  expect(() => sealing(`${SECRET}.`, 'webhooks').unseal(sealed, 'whk_a')).toThrow()
  expect(() => sealing(SECRET, 'other').unseal(sealed, 'whk_a')).toThrow()
  expect(() => sealing(SECRET, 'webhooks').unseal(sealed, 'whk_b')).toThrow()
  expect(() => sealing(SECRET, 'webhooks').unseal(bent, 'whk_a')).toThrow()
  expect(() => sealing(SECRET, 'webhooks').unseal(sealed.subarray(0, 20), 'whk_a')).toThrow()
})
