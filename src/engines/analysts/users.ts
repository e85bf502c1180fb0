import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SHARED } from '../../domain/intake/articles.ts'

/** The users as SQL, for servers that store users themselves. Can be repeated. */
export const createUsers = (
  database: string,
  { namespace, user, reader, views }: AnalystNames,
  hash: string,
): readonly string[] => [
  `CREATE USER OR REPLACE ${reader} IDENTIFIED WITH no_password HOST NONE SETTINGS PROFILE 'analyst'`,
  // before the grant: without the policy, the reader could see all namespaces
  `CREATE ROW POLICY OR REPLACE ${reader} ON ${database}.* FOR SELECT USING namespace = '${namespace}' TO ${reader}`,
  `GRANT SELECT ON ${database}.* TO ${reader}`,
  `GRANT SELECT ON ${views}.* TO ${reader}`,
  `CREATE USER OR REPLACE ${user} IDENTIFIED WITH sha256_hash BY '${hash}' HOST ANY DEFAULT DATABASE ${views} SETTINGS PROFILE 'analyst'`,
  `CREATE QUOTA OR REPLACE ${user} FOR INTERVAL 1 hour MAX queries = 3600, execution_time = 1200 TO ${user}`,
  `GRANT SELECT ON ${views}.* TO ${user}`,
]

export const dropUsers = (database: string, { user, reader }: AnalystNames): readonly string[] => [
  `DROP USER IF EXISTS ${user}`,
  `DROP QUOTA IF EXISTS ${user}`,
  `DROP USER IF EXISTS ${reader}`,
  `DROP ROW POLICY IF EXISTS ${reader} ON ${database}.*`,
]

/** The folder of user files that the embedded server reads at startup. */
export const usersFolder = (home: string): string => join(home, 'clickhouse', 'config', 'users.d')

const fileOf = (home: string, { user }: AnalystNames): string => join(usersFolder(home), `${user}.xml`)

/** Writes atomically, by renaming, so that the server never reads a partial file. */
export function writeUsersFile(home: string, names: AnalystNames, text: string): void {
  const file = fileOf(home, names)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export const removeUsersFile = (home: string, names: AnalystNames): void => rmSync(fileOf(home, names), { force: true })
export const hasUsersFolder = (home: string): boolean => existsSync(usersFolder(home))

/** The two users of a namespace as a configuration file. It contains the password only as its SHA-256. */
export const usersFile = (database: string, { namespace, user, reader, views }: AnalystNames, hash: string): string =>
  `<clickhouse>
    <users>
        <${user}>
            <password_sha256_hex>${hash}</password_sha256_hex>
            <networks>
                <ip>::/0</ip>
            </networks>
            <profile>analyst</profile>
            <quota>analyst</quota>
            <default_database>${views}</default_database>
            <grants>
                <query>GRANT SELECT ON ${views}.*</query>
            </grants>
        </${user}>
        <${reader}>
            <no_password/>
            <networks/>
            <profile>analyst</profile>
            <quota>analyst</quota>
            <grants>
                <query>GRANT SELECT ON ${database}.*</query>
                <query>GRANT SELECT ON ${views}.*</query>
            </grants>
            <databases>
                <database name="${database}">
                    <!-- no name: every table, those of later versions too -->
                    <table name="">
                        <filter>namespace = '${namespace}'</filter>
                    </table>
                </database>
            </databases>
        </${reader}>
    </users>
</clickhouse>
`

/**
 * The users and the database of a namespace's analyst. The names are unique because namespaces contain no underscore.
 */
export interface AnalystNames {
  readonly namespace: string
  /** The user that logs in. */
  readonly user: string
  /** The definer of the views. It cannot log in. */
  readonly reader: string
  /** The database of its views; it has the name of the user. */
  readonly views: string
}

const READER = 'reader_'

export function analystNames(namespace: string): AnalystNames {
  const name = namespace.replaceAll('-', '_')
  const user = namespace === SHARED ? 'analyst' : `analyst_${name}`
  return { namespace, user, reader: `${READER}${name}`, views: user }
}

/** `null` if the name is not that of a reader. */
export const namespaceOfReader = (user: string): string | null =>
  user.startsWith(READER) ? user.slice(READER.length).replaceAll('_', '-') : null
