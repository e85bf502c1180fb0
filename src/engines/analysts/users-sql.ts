import type { AnalystNames } from './names.ts'

/** The same in the server's own language, for servers that keep users themselves. Can be repeated: it replaces. */
export const createUsers = (
  database: string,
  { namespace, user, reader, views }: AnalystNames,
  hash: string,
): readonly string[] => [
  `CREATE USER OR REPLACE ${reader} IDENTIFIED WITH no_password HOST NONE SETTINGS PROFILE 'analyst'`,
  // before the grant: without the policy it would see all
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
