export type ReadBody =
  { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'not_json' } | { readonly kind: 'too_large' }

/** The JSON of a body of at most `maxBytes`, refused on its announced length or as soon as it is longer. */
export async function readBody(request: Request, maxBytes: number): Promise<ReadBody> {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > maxBytes) return { kind: 'too_large' }

  const bytes = announced === null ? await bytesUpTo(request, maxBytes) : Buffer.from(await request.arrayBuffer())
  return bytes === null ? { kind: 'too_large' } : json(bytes)
}

/** A body of unannounced length, part by part. Null: too long. */
async function bytesUpTo(request: Request, maxBytes: number): Promise<Buffer | null> {
  if (request.body === null) return Buffer.alloc(0)
  const stream: ReadableStream<Uint8Array> = request.body
  const reader = stream.getReader()
  const parts: Uint8Array[] = []
  let bytes = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      return null
    }
    parts.push(part.value)
  }
  return Buffer.concat(parts)
}

/** JSON is UTF-8 (RFC 8259): other bytes are refused, not replaced. No bytes are no body, which some routes do without. */
function json(bytes: Buffer): ReadBody {
  if (bytes.length === 0) return { kind: 'json', value: undefined }
  try {
    return { kind: 'json', value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof TypeError) return { kind: 'not_json' }
    throw cause
  }
}
