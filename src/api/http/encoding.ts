/** Below this a body is not worth compressing: it travels in one packet either way. */
const MIN_BYTES = 1_024

/** Whether a body of so many bytes goes out as gzip to who sent this `Accept-Encoding` (RFC 9110, 12.5.3). */
export function wantsGzip(accepted: string | undefined, bytes: number): boolean {
  if (accepted === undefined || bytes < MIN_BYTES) return false
  const codings = new Map(accepted.toLowerCase().split(',').map(weighed))
  return (codings.get('gzip') ?? codings.get('x-gzip') ?? codings.get('*') ?? 0) > 0
}

/** A coding and its weight: `gzip;q=0.5`. */
function weighed(part: string): readonly [string, number] {
  const [coding = '', ...parameters] = part.split(';').map((text) => text.trim())
  const given = parameters.find((one) => one.startsWith('q='))
  return [coding, given === undefined ? 1 : Number(given.slice(2)) || 0]
}
