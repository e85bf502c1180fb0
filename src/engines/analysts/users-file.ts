import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AnalystNames } from './names.ts'

/** Where the embedded server of a home reads who may log in, when it starts. */
export const usersFolder = (home: string): string => join(home, 'clickhouse', 'config', 'users.d')

const fileOf = (home: string, { user }: AnalystNames): string => join(usersFolder(home), `${user}.xml`)

/** By renaming: the server sees the whole file or none. */
export function writeUsersFile(home: string, names: AnalystNames, text: string): void {
  const file = fileOf(home, names)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export const removeUsersFile = (home: string, names: AnalystNames): void => rmSync(fileOf(home, names), { force: true })

export const hasUsersFolder = (home: string): boolean => existsSync(usersFolder(home))

/** The two users of a namespace as the server's configuration says them; the password only as its SHA-256. */
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
