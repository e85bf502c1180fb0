import { expect, it } from 'vitest'
import { throughRestart } from './through-restart.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Fails as often as there are codes, then answers. */
const failing = (...codes: string[]) => {
  let reads = 0
  return async () => {
    const code = codes[reads]
    reads += 1
    return code === undefined ? Promise.resolve(reads) : Promise.reject(failure(code))
  }
}

it('a read waits until the server is back', async () => {
  expect(await throughRestart()(failing('ECONNRESET', 'ECONNREFUSED'))).toBe(3)
})

it('what is no lost connection is not repeated', async () => {
  await expect(throughRestart()(failing('159'))).rejects.toThrow('159')
})

it('reads fail at once while the server stays away, and wait again after one has succeeded', async () => {
  const through = throughRestart(50)
  const away = () => Promise.reject(failure('ECONNREFUSED'))
  await expect(through(away)).rejects.toThrow('ECONNREFUSED')

  const again = failing('ECONNREFUSED')
  await expect(through(again)).rejects.toThrow('ECONNREFUSED')
  await through(failing())

  expect(await through(failing('ECONNREFUSED'))).toBe(2)
})
