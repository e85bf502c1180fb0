import { PinnedServerLost } from '../../ports/store.ts'
import { EngineUnavailable } from './engine-deadline.ts'

/**
 * Repeats a read once if the server that it was reading stopped responding: another one may respond. Only for work that
 * changes nothing.
 */
export async function readAgain<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof EngineUnavailable && cause.cause instanceof PinnedServerLost) return read()
    throw cause
  }
}
