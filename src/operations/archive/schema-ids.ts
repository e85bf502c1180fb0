const HEADER_BYTES = 5

/** The schema's id in front of a framed value; null where there is none. */
export const schemaIdOf = (value: Buffer | null): number | null =>
  value === null || value.length < HEADER_BYTES || value[0] !== 0 ? null : value.readUInt32BE(1)

/** The same bytes under the id that another registry gave the schema; one that is not in the map stays as it is. */
export function withSchemaId(value: Buffer | null, ids: ReadonlyMap<number, number>): Buffer | null {
  const id = schemaIdOf(value)
  const now = id === null ? undefined : ids.get(id)
  if (value === null || now === undefined || now === id) return value
  const copy = Buffer.from(value)
  copy.writeUInt32BE(now, 1)
  return copy
}
