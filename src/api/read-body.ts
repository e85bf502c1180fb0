export type ReadBody =
  { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'not_json' } | { readonly kind: 'too_large' }

/** The JSON of a body of at most `maxBytes`, refused on its announced length or as soon as it is longer. */
export async function readBody(request: Request, maxBytes: number): Promise<ReadBody> {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > maxBytes) return { kind: 'too_large' }

  const text = announced === null ? await textUpTo(request, maxBytes) : await request.text()
  return text === null ? { kind: 'too_large' } : json(text)
}

/** A body of unannounced length, part by part. Null: too long. */
async function textUpTo(request: Request, maxBytes: number): Promise<string | null> {
  if (request.body === null) return ''
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
  return Buffer.concat(parts).toString('utf8')
}

function json(text: string): ReadBody {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch (cause) {
    if (cause instanceof SyntaxError) return { kind: 'not_json' }
    throw cause
  }
}
