export type ReadBody =
  { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'not_json' } | { readonly kind: 'too_large' }

/** Who sent the request has left in the middle of it: nobody is there to be told. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/**
 * The JSON of a body of at most `maxBytes`, refused on its announced length or as soon as it is longer. Throws
 * `ClientGone`: a body that cannot be read to its end is one whose sender has left.
 */
export async function readBody(request: Request, maxBytes: number): Promise<ReadBody> {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > maxBytes) return { kind: 'too_large' }

  const bytes = await bytesOf(request, announced === null ? maxBytes : null).catch((cause: unknown) => {
    throw new ClientGone('the body ended early', { cause })
  })
  return bytes === null ? { kind: 'too_large' } : json(bytes)
}

const bytesOf = async (request: Request, maxBytes: number | null): Promise<Buffer | null> =>
  maxBytes === null ? Buffer.from(await request.arrayBuffer()) : await bytesUpTo(request, maxBytes)

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
