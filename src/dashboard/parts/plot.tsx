import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import { painted } from '../state/theme.ts'

export interface PlotLine {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** A CSS custom property: `--blue`. */
  readonly colour: string
  readonly shape: 'bars' | 'line'
}

interface PlotProperties {
  /** A description for screen readers; a table next to the plot contains the values. */
  readonly label: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly lines: readonly PlotLine[]
  readonly height?: number
  /** Lowest and highest value; by default from 0 to the highest value. */
  readonly range?: readonly [number, number]
}

/** A plot of values over time. */
export function Plot(properties: PlotProperties) {
  const { label, times, lines, height = 190 } = properties
  const element = useRef<HTMLDivElement>(null)
  const signature = JSON.stringify([times, lines])
  useEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const plot = new UPlot(
      options(current, properties),
      [[...times], ...lines.map(({ values }) => [...values])],
      current,
    )
    const watch = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height }))
    watch.observe(current)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [signature, painted.value])
  return <div class="plot" ref={element} role="img" aria-label={label} />
}

function options(at: HTMLElement, { lines, height = 190, range }: PlotProperties): UPlot.Options {
  const [ink, rule] = [colourOf(at, '--quiet'), colourOf(at, '--line')]
  const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { show: false }, font: '12px system-ui' }
  return {
    width: at.clientWidth,
    height,
    legend: { live: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: range === undefined ? fromZero : [...range] } },
    axes: [
      { ...axis, size: 28, values: (_, ticks) => moments(ticks) },
      { ...axis, size: 44 },
    ],
    series: [{ label: 'Time' }, ...lines.map((line) => series(at, line))],
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
  }
}

const A_DAY_S = 86_400
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

/** Labels of ticks (seconds since 1970) as days, or as hours if they are closer than a day. */
const moments = (ticks: readonly number[]): string[] => {
  const isFine = (ticks[1] ?? Infinity) - (ticks[0] ?? 0) < A_DAY_S
  return ticks.map((tick) => (isFine && tick % A_DAY_S !== 0 ? hour : day).format(tick * 1_000))
}

const fromZero = (_: UPlot, __: number, highest: number): UPlot.Range.MinMax => [0, Math.max(1, highest * 1.1)]

function series(at: HTMLElement, { label, colour, shape }: PlotLine): UPlot.Series {
  const stroke = colourOf(at, colour)
  const paths = shape === 'bars' ? UPlot.paths.bars?.({ size: [0.7, 40] }) : undefined
  if (paths === undefined)
    return { label, stroke, width: 2, points: { show: true, size: 5, fill: stroke }, spanGaps: true }
  return { label, stroke, width: 0, points: { show: false }, fill: stroke, paths }
}

/** The current value of a custom property, since a canvas does not resolve them. */
function colourOf(at: HTMLElement, property: string): string {
  const before = at.style.color
  at.style.color = `var(${property})`
  const found = getComputedStyle(at).color
  at.style.color = before
  return found
}
