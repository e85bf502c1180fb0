import { readFileSync } from 'node:fs'
import { parsePublishers, type Publishers } from '../language/publishers/publishers.ts'
import { projectPath } from '../config/project-path.ts'

/** The shipped table of outlets and the groups that own them. */
export const readPublishers = (folder = projectPath('models/publishers')): Publishers =>
  parsePublishers(readFileSync(`${folder}/families.tsv`, 'utf8'), readFileSync(`${folder}/carriers.txt`, 'utf8'))
