import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { anAuthority } from './certificate.ts'

it('issues certificates for a name and addresses that only its own authority vouches for', () => {
  const strangers = ['one', 'own'].map((name) => new X509Certificate(anAuthority(name).cert))
  const own = anAuthority('own')
  const issued = new X509Certificate(own.issue('localhost', ['127.0.0.1']).cert)
  const ownCert = new X509Certificate(own.cert)

  expect([issued.checkHost('localhost'), issued.checkIP('127.0.0.1')]).toEqual(['localhost', '127.0.0.1'])
  expect([issued.checkHost('example.org'), issued.checkIP('127.0.0.2')]).toEqual([undefined, undefined])
  expect([issued.verify(ownCert.publicKey), issued.checkIssued(ownCert)]).toEqual([true, true])
  expect(strangers.map(({ publicKey }) => issued.verify(publicKey))).toEqual([false, false])
  expect([ownCert.ca, issued.ca]).toEqual([true, false])
})
