/** Fields of an object of JSON-LD. */
export type JsonLd = Readonly<Record<string, unknown>>

/** UTF-16 units; longer scripts are data of the page's program. */
const MAX_SCRIPT_CHARS = 1_000_000
const MAX_DEPTH = 6
const MAX_OBJECTS = 500

const ARTICLE_TYPE = /(?:Article|BlogPosting|Report|LiveBlogPosting)$/

/** The description of the article in the page's JSON-LD (schema.org); empty if there is none. Bad JSON is ignored. */
export function articleJsonLd(scripts: readonly string[]): JsonLd {
  const objects = scripts.flatMap((script) => objectsIn(parsed(script)))
  const articles = objects.filter((object) => textsOf(object['@type']).some((type) => ARTICLE_TYPE.test(type)))
  return articles.find((article) => 'headline' in article || 'articleBody' in article) ?? articles[0] ?? {}
}

function parsed(script: string): unknown {
  if (script.length > MAX_SCRIPT_CHARS) return null
  try {
    return JSON.parse(script.replace(/[\u0000-\u001f]+/g, ' ')) as unknown
  } catch {
    return null
  }
}

function objectsIn(value: unknown): readonly JsonLd[] {
  const found: JsonLd[] = []
  const visit = (given: unknown, depth: number): void => {
    if (typeof given !== 'object' || given === null || depth > MAX_DEPTH || found.length > MAX_OBJECTS) return
    if (Array.isArray(given)) given.forEach((one) => visit(one, depth + 1))
    else {
      const object = given as JsonLd
      found.push(object)
      for (const name of ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemListElement', 'item']) {
        visit(object[name], depth + 1)
      }
    }
  }
  visit(value, 0)
  return found
}

/**
 * The texts of a value: a string, a list of strings, or objects with a name or address. Deeper values are ignored: JSON
 * can be nested more deeply than the stack.
 */
export const textsOf = (value: unknown): readonly string[] => textsWithin(value, 0)

function textsWithin(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value.trim()].filter((text) => text !== '')
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((one) => textsWithin(one, depth + 1))
  const { name, '@id': id, url } = value as JsonLd
  return textsWithin(name ?? id ?? url, depth + 1)
}

/** The first text of a value; `null` if there is none. */
export const textIn = (value: unknown): string | null => textsOf(value)[0] ?? null
