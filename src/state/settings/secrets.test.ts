import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sealing, readableSecrets, unreadableEndpoints, unreadableWarning } from './secrets.ts'
import { aWebhook } from '../../../test/builders/webhooks.ts'

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

const NOW = 1_000
const ours = sealing('a secret of at least 32 characters', 'webhooks')
const other = sealing('another secret of 32 characters and more', 'webhooks')
const secret = (seal: typeof ours.seal, text: string, expires_at: number | null = null) => ({
  sealed: seal(text, 'whk_a'),
  expires_at,
})
const endpoint = (...secrets: ReturnType<typeof secret>[]) => aWebhook({ webhook_id: 'whk_a', secrets })

it('secrets sealed under another key are left out, expired ones too', () => {
  const rotated = endpoint(
    secret(ours.seal, 'new'),
    secret(other.seal, 'old', NOW + 1),
    secret(ours.seal, 'expired', NOW),
  )

  expect(readableSecrets(rotated, ours.unseal, NOW)).toEqual(['new'])
})

it('an active endpoint without a readable secret is reported, a disabled one is not', () => {
  const lost = endpoint(secret(other.seal, 'old'))
  const all = [lost, { ...lost, status: 'disabled' as const }, endpoint(secret(ours.seal, 'new'))]

  expect(unreadableEndpoints(all, ours.unseal, NOW)).toEqual(['whk_a'])
})

it('the warning names the variable, the endpoints and the remedy', () => {
  expect(unreadableWarning(['whk_a', 'whk_b', 'whk_c', 'whk_d'])).toMatch(
    /4 webhook endpoints .*another SECRETS_KEY \(whk_a, whk_b, whk_c, …\).*rotate/,
  )
})
