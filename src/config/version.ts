import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectPath } from './project-path.ts'

const PackageJson = z.object({ version: z.string() })

export const version = PackageJson.parse(JSON.parse(readFileSync(projectPath('package.json'), 'utf8'))).version
