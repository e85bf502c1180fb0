/**
 * Null: it is no URL. Not `URL.canParse`: once V8 has compiled a caller, that of Node 20 says no to every address with letters
 * beyond ASCII.
 */
export function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
