import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'

const REDACTED = ['req.headers.authorization', 'authorization', 'key', 'password']
const GATHERED_CHARACTERS = 32_768
/** Maximum delay of a line. */
const WAIT_MS = 200

/**
 * JSON lines on stderr, written in batches: one write per line would cost more than the response to a request. Buffered
 * lines are flushed when the process ends, also after a crash; only SIGKILL loses them.
 */
export const jsonLogger = (level: NonNullable<LoggerOptions['level']>): Logger => {
  const lines = gathered((text) => void process.stderr.write(text))
  process.once('exit', lines.flushSync)
  return pino({ level, redact: REDACTED }, lines)
}

/** A buffered destination for pino, which flushes it after a fatal line. */
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
