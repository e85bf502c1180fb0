import { z } from 'zod'
import { authorization, type RegistryAccess } from './access.ts'

const Answer = z.object({ schema: z.string() })

/** The text of the schema that a registry knows under an id; null: it knows none. Throws when it is away. */
export async function schemaText(access: RegistryAccess, id: number): Promise<string | null> {
  const response = await fetch(`${access.url.replace(/\/$/, '')}/schemas/ids/${id}`, {
    headers: authorization(access),
  })
  if (response.status === 404) {
    await response.arrayBuffer()
    return null
  }
  if (!response.ok) throw new Error(`the registry did not say what schema ${id} is (${response.status})`)
  return Answer.parse(await response.json()).schema
}
