import { SHARED } from '../../domain/intake/articles.ts'

/** What belongs to the analyst of a namespace. Namespaces have no underscore, so no two share a name. */
export interface AnalystNames {
  readonly namespace: string
  /** Who logs in. */
  readonly user: string
  /** Whose eyes the views have: nobody can log in as it. */
  readonly reader: string
  /** The database of its views: named like the user. */
  readonly views: string
}

const READER = 'reader_'

export function analystNames(namespace: string): AnalystNames {
  const name = namespace.replaceAll('-', '_')
  const user = namespace === SHARED ? 'analyst' : `analyst_${name}`
  return { namespace, user, reader: `${READER}${name}`, views: user }
}

/** Null: not the name of a reader. */
export const namespaceOfReader = (user: string): string | null =>
  user.startsWith(READER) ? user.slice(READER.length).replaceAll('_', '-') : null
