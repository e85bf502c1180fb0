import { readFileSync } from 'node:fs'
import { parseGenreModel, type GenreModel } from '../language/genre/genre.ts'
import { projectPath } from '../config/project-path.ts'

/** What `models/genre/train.ts` has learned. */
export const readGenreModel = (file = projectPath('models/genre/weights.json')): GenreModel =>
  parseGenreModel(readFileSync(file, 'utf8'))
