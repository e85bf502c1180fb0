import { RecordTooLarge, type OutRecord } from '../ports/log.ts'
import { shortened } from './dead-letter.ts'
import type { RuntimePorts } from './running.ts'

/** Writes dead letters; what the log will never take for its size is written without its bytes, so that the rest goes on. */
export async function setAside(
  letters: readonly OutRecord[],
  { log, logger }: Pick<RuntimePorts, 'log' | 'logger'>,
): Promise<void> {
  try {
    await log.produce(letters)
  } catch (cause) {
    if (!(cause instanceof RecordTooLarge)) throw cause
    logger.warn({ err: cause }, 'a dead letter is too large: setting it aside without its bytes')
    await log.produce(letters.map(shortened))
  }
}
