import { fileURLToPath } from 'node:url'

/** Path of a project file (`schemas/…`, `models/…`); works from `src/` and from `dist/`. */
export const projectPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
