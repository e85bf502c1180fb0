import { pino, type Logger, type LoggerOptions } from 'pino'

const REDACTED = ['req.headers.authorization', 'authorization', 'key', 'password']
const STDERR = 2
const GATHERED_BYTES = 64 * 1_024
/** A line is seen no later. */
const WAIT_MS = 200

/**
 * JSON lines on stderr. Written behind the back of whoever logs, many lines at once under load: a request would wait
 * for each otherwise. What is not written yet is written when the process ends, after a crash too; only SIGKILL takes it.
 */
export const jsonLogger = (level: NonNullable<LoggerOptions['level']>): Logger =>
  pino(
    { level, redact: REDACTED },
    pino.destination({
      dest: STDERR,
      sync: false,
      minLength: GATHERED_BYTES,
      maxWrite: 2 * GATHERED_BYTES,
      periodicFlush: WAIT_MS,
    }),
  )
