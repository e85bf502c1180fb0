import { readFileSync } from 'node:fs'
import { projectPath } from '../config/project-path.ts'
import { QualityRecord, type PublishedQuality } from '../domain/quality/figures.ts'
import { clusteringModel } from '../adapters/model-files.ts'
import { STAGES } from '../events/stages.ts'

/** Files with the committed figures: JSON and a readable page. */
export interface RecordFiles {
  readonly json: string
  readonly page: string
}

export const RECORD: RecordFiles = {
  json: projectPath('docs/quality.json'),
  page: projectPath('docs/quality.md'),
}

export const readRecord = ({ json }: RecordFiles): QualityRecord =>
  QualityRecord.parse(JSON.parse(readFileSync(json, 'utf8')))

/** The committed figures of all sets, and the versions in this installation. */
export function publishedQuality(): PublishedQuality {
  const { measured_at, models, figures } = readRecord(RECORD).sets
  return {
    measured_at,
    models,
    versions: { rules: `${STAGES.clustered.stage}:${STAGES.clustered.version}`, ...clusteringModel().versions },
    sets: figures,
  }
}
