import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'

const REDACTED = ['req.headers.authorization', 'authorization', 'key', 'password']
const GATHERED_CHARACTERS = 32_768
/** A line is seen no later. */
const WAIT_MS = 200

/**
 * JSON lines on stderr, written many at once: one write a line would cost more than the answer to a request. What is
 * gathered goes out when the process ends, after a crash too; only SIGKILL takes it.
 */
export const jsonLogger = (level: NonNullable<LoggerOptions['level']>): Logger => {
  const lines = gathered((text) => void process.stderr.write(text))
  process.once('exit', lines.flushSync)
  return pino({ level, redact: REDACTED }, lines)
}

/** Lines on their way out. pino flushes after a fatal one. */
export function gathered(write: (text: string) => void): DestinationStream & { readonly flushSync: () => void } {
  let lines = ''
  let timer: NodeJS.Timeout | undefined

  const flushSync = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (lines === '') return
    const text = lines
    lines = ''
    write(text)
  }
  return {
    flushSync,
    write: (line) => {
      lines += line
      if (lines.length >= GATHERED_CHARACTERS) flushSync()
      else timer ??= setTimeout(flushSync, WAIT_MS).unref()
    },
  }
}
