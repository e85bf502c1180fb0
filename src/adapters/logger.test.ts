import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gathered } from './logger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const aLog = () => {
  const written: string[] = []
  const lines = gathered((text) => void written.push(text))
  return { written, lines, logger: pino({ level: 'info' }, lines) }
}

it('writes lines together, in their order, after a fifth of a second at most', () => {
  const { written, logger } = aLog()
  logger.info('one')
  logger.info('two')
  expect(written).toEqual([])
  vi.advanceTimersByTime(200)
  logger.info('three')
  vi.advanceTimersByTime(200)

  expect(written.map((text) => [...text.matchAll(/"msg":"(\w+)"/g)].map(([, word]) => word))).toEqual([
    ['one', 'two'],
    ['three'],
  ])
})

it('waits no longer once there is much to write, and loses nothing', () => {
  const { written, lines, logger } = aLog()
  for (let i = 0; i < 1_000; i++) logger.info({ i }, 'x'.repeat(100))
  expect(written.length).toBeGreaterThan(2)
  lines.flushSync()
  lines.flushSync()

  const found = written.join('').trim().split('\n')
  expect(found.map((line) => (JSON.parse(line) as { i: number }).i)).toEqual([...Array(1_000).keys()])
})

it('writes what is fatal at once', () => {
  const { written, logger } = aLog()
  logger.info('before')
  logger.fatal('the end')

  expect(written.join('')).toMatch(/before.*\n.*the end/)
})
