import { clusteringModel } from '../adapters/model-files.ts'
import type { PublishedQuality } from '../quality/published-quality.ts'
import { STAGES } from '../events/stages.ts'
import { readRecord, RECORD } from '../quality/record.ts'

/** The committed figures of all sets, and the versions of this installation. */
export function publishedQuality(): PublishedQuality {
  const { measured_at, models, figures } = readRecord(RECORD).sets
  return {
    measured_at,
    models,
    versions: { rules: `${STAGES.clustered.stage}:${STAGES.clustered.version}`, ...clusteringModel().versions },
    sets: figures,
  }
}
