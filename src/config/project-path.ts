import { fileURLToPath } from 'node:url'

/** A file of the project (`schemas/…`, `models/…`), the same from `src/` and from `dist/`. */
export const projectPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
