import { useEffect, useState } from 'preact/hooks'
import { now } from '../clock.ts'
import { conditionOf, conditionText } from '../state/condition.ts'
import { observed } from '../state/health.ts'
import { pausedUntil } from '../state/service.ts'

/** What stands above every page when something is in the way. */
export function Notice() {
  const seconds = useSecondsUntil(pausedUntil.value)
  const text = conditionText(observed.value)
  if (text !== null) {
    return (
      <p class={conditionOf(observed.value) === 'slow' ? 'notice' : 'notice bad'} role="status">
        {text}
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
