import { headerFields, type HeaderFields } from './header-block.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderFields
  /** As stored: perhaps still chunked or compressed. */
  readonly body: Buffer
}

const MAX_HEADER_BYTES = 512 * 1024

/** The stored HTTP response; `null` if the block is none. */
export function httpResponse(block: Buffer): HttpResponse | null {
  const end = headerEnd(block.subarray(0, MAX_HEADER_BYTES))
  if (end === null) return null
  const [first = '', ...lines] = block.toString('latin1', 0, end.headers).split(/\r?\n/)
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})\b/.exec(first)?.[1]
  return status === undefined
    ? null
    : { status: Number(status), headers: headerFields(lines), body: block.subarray(end.body) }
}

function headerEnd(block: Buffer): { readonly headers: number; readonly body: number } | null {
  const [crlf, lf] = [block.indexOf('\r\n\r\n'), block.indexOf('\n\n')]
  if (crlf >= 0 && (lf < 0 || crlf < lf)) return { headers: crlf, body: crlf + 4 }
  return lf < 0 ? null : { headers: lf, body: lf + 2 }
}
