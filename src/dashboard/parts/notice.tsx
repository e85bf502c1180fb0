import { useEffect, useState } from 'preact/hooks'
import { now } from '../clock.ts'
import { pausedUntil, reached } from '../state/service.ts'

/** What stands above every page when something is in the way. */
export function Notice() {
  const seconds = useSecondsUntil(pausedUntil.value)
  if (!reached.value) {
    return (
      <p class="notice bad" role="status">
        The service cannot be reached. What is shown may be old; it is asked again every few seconds.
      </p>
    )
  }
  if (seconds <= 0) return null
  return (
    <p class="notice" role="status">
      This key has asked as much as it may for now: going on in {seconds} s.
    </p>
  )
}

function useSecondsUntil(moment: number): number {
  const left = (): number => Math.ceil((moment - now()) / 1_000)
  const [, redraw] = useState(0)
  useEffect(() => {
    if (left() <= 0) return undefined
    const timer = setInterval(() => redraw((times) => times + 1), 1_000)
    return () => clearInterval(timer)
  }, [moment])
  return left()
}
