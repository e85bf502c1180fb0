import type { components } from '../../../sdk/src/index.ts'

/** The objects of the API. */
export type ApiSchemas = components['schemas']
