type TogetherWork = (signal: AbortSignal) => Promise<void>

/** Works that live and end together: when one fails the others are stopped, and its failure is thrown once they have. */
export async function together(signal: AbortSignal, works: readonly TogetherWork[]): Promise<void> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const ended = await Promise.allSettled(works.map((work) => work(stop.signal).finally(abort)))
  signal.removeEventListener('abort', abort)
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}
