/** Of a Confluent-compatible registry, and who asks it. */
export interface RegistryAccess {
  readonly url: string
  readonly auth?: { readonly username: string; readonly password: string }
}

/** RFC 7617. */
export const authorization = ({ auth }: RegistryAccess): Readonly<Record<string, string>> =>
  auth === undefined
    ? {}
    : { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` }
