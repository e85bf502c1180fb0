import { articlesAnalyzed, articlesIngested, articlesScored } from './events/articles.ts'
import { changesPublished } from './events/changes.ts'
import { articlesClustered } from './events/ledger.ts'
import { discoursePolled, discoursePosts, storiesEnriched } from './events/discourse.ts'
import { storiesLinked } from './events/graph.ts'
import { storiesTransitioned } from './events/lifecycle.ts'
import { documentsFetched, feedsChanged } from './events/sources.ts'
import { clockTicked, correctionsRequested, keysChanged } from './events/settings.ts'
import { monitorsChanged, storiesMatched } from './events/monitors.ts'
import { trendsDetected } from './events/trends.ts'
import { webhooksChanged, webhooksDelivered } from './events/webhooks.ts'
import type { Consumer } from './ports/log.ts'
import { effectLine, memoryLine, stageLine, type EffectLine, type StageLine } from './runtime/stage-lines.ts'
import type { RuntimePorts } from './runtime/running.ts'
import type { Fetching } from './sources/watch/due-document.ts'
import { FETCHING, fetching } from './sources/watch/fetching.ts'
import type { View } from './runtime/shapes.ts'
import { analyzed } from './stages/analyzed/stage.ts'
import { changedMemory } from './stages/changed/changelog.ts'
import { changed } from './stages/changed/stage.ts'
import { clusteredAssignments } from './stages/clustered/assignments.ts'
import { clusteredMemory } from './stages/clustered/changelog.ts'
import { clustered } from './stages/clustered/stage.ts'
import { DELIVERING, dispatching, type Dispatching } from './stages/delivered/effect.ts'
import { delivered } from './stages/delivered/stage.ts'
import { detectedMemory } from './stages/detected/changelog.ts'
import { detected } from './stages/detected/stage.ts'
import { enrichedMemory } from './stages/enriched/changelog.ts'
import { enriched } from './stages/enriched/stage.ts'
import { linkedMemory } from './stages/linked/changelog.ts'
import { linked } from './stages/linked/stage.ts'
import { matchedMemory } from './stages/matched/changelog.ts'
import { matched } from './stages/matched/stage.ts'
import { scored } from './stages/scored/stage.ts'
import { transitionedMemory } from './stages/transitioned/changelog.ts'
import { transitioned } from './stages/transitioned/stage.ts'
import { articles } from './views/articles/project.ts'
import { clusters } from './views/clusters/project.ts'
import { entities } from './views/entities/project.ts'
import { graph } from './views/graph/project.ts'
import { jobs } from './views/jobs/project.ts'
import { changes, corrections, echo, feeds, monitors, stories, trends, webhooks } from './views/row-per-event.ts'

/**
 * The whole pipeline: which parts read and write each topic. `story topology` prints it; a test compares it with the
 * topic files.
 */
export const pipeline = {
  sources: {
    // POST /layer0/v1/process, POST /layer1/v1/process, POST /v1/story/{id}/analyze, POST
    // /v1/clusters/{id}/corrections, POST /layer3/v1/graph/build, /v1/feeds, /v1/webhooks, /v1/monitors and their subroutes
    http: [
      articlesIngested.name,
      articlesAnalyzed.name,
      storiesTransitioned.name,
      correctionsRequested.name,
      storiesLinked.name,
      webhooksChanged.name,
      webhooksDelivered.name,
      monitorsChanged.name,
      feedsChanged.name,
      documentsFetched.name,
    ],
    import: [articlesIngested.name, discoursePosts.name, clockTicked.name], // an import ends with a flush
    connectors: [discoursePosts.name, discoursePolled.name],
    keys: [keysChanged.name],
    operators: [feedsChanged.name, documentsFetched.name], // `story feeds`
    scheduler: [clockTicked.name, storiesLinked.name], // the six-hourly build
  },
  stages: {
    scored: stageLine({ reads: articlesIngested, writes: articlesScored }, scored),
    analyzed: stageLine({ reads: articlesScored, writes: articlesAnalyzed }, analyzed),
    clustered: memoryLine(
      {
        reads: [articlesAnalyzed, clockTicked, correctionsRequested],
        writes: articlesClustered,
        changelog: clusteredMemory,
        table: clusteredAssignments,
      },
      clustered,
    ),
    enriched: memoryLine(
      { reads: [articlesClustered, discoursePosts, clockTicked], writes: storiesEnriched, changelog: enrichedMemory },
      enriched,
    ),
    linked: memoryLine({ reads: [articlesClustered], writes: storiesLinked, changelog: linkedMemory }, linked),
    transitioned: memoryLine(
      {
        reads: [articlesClustered, storiesEnriched, storiesTransitioned, clockTicked],
        writes: storiesTransitioned,
        changelog: transitionedMemory,
      },
      transitioned,
    ),
    detected: memoryLine({ reads: [articlesClustered], writes: trendsDetected, changelog: detectedMemory }, detected),
    matched: memoryLine(
      {
        reads: [monitorsChanged, articlesAnalyzed, articlesClustered, storiesTransitioned, clockTicked],
        writes: storiesMatched,
        changelog: matchedMemory,
      },
      matched,
    ),
    changed: memoryLine(
      {
        reads: [
          articlesScored,
          articlesClustered,
          storiesTransitioned,
          storiesEnriched,
          trendsDetected,
          storiesMatched,
        ],
        writes: changesPublished,
        changelog: changedMemory,
      },
      changed,
    ),
    delivered: stageLine({ reads: changesPublished, writes: webhooksDelivered }, delivered),
  } satisfies Record<string, StageLine<never>>,
  // `delivered` belongs to the stage of the same name, which plans its work; `feeds` plans its own
  effects: {
    delivered: effectLine(
      { group: DELIVERING, follows: webhooksDelivered, changes: [webhooksChanged, monitorsChanged] },
      dispatching,
    ),
    feeds: effectLine(
      { group: FETCHING, follows: documentsFetched, changes: [feedsChanged], writes: [articlesIngested] },
      fetching,
    ),
  } satisfies Record<string, EffectLine<never>>,
  views: [
    jobs,
    articles,
    entities,
    clusters,
    echo,
    stories,
    corrections,
    graph,
    trends,
    feeds,
    changes,
    webhooks,
    monitors,
  ] satisfies readonly View[],
} as const

export type PipelineStage = keyof typeof pipeline.stages
type DependenciesOf<Line> = Line extends StageLine<infer Dependencies> ? Dependencies : never
type PipelineDependencies = { readonly [Name in PipelineStage]: DependenciesOf<(typeof pipeline.stages)[Name]> }

/**
 * Factories for the dependencies of each stage and effect, called at its start, so that a process loads only the models
 * it uses.
 */
export interface StageDependencies extends Factories {
  readonly dispatching: () => Promise<Dispatching>
}
type Factories = { readonly [Name in PipelineStage]: () => Promise<PipelineDependencies[Name]> }

const lines: { readonly [Name in PipelineStage]: StageLine<PipelineDependencies[Name]> } = pipeline.stages

/** Starts one stage of the pipeline, without its effect. */
export async function startStage<Name extends PipelineStage>(
  name: Name,
  dependencies: Pick<Factories, Name>,
  running: RuntimePorts,
): Promise<Consumer> {
  const line: StageLine<PipelineDependencies[Name]> = lines[name]
  return dependencies[name]().then((made) => line.start(made, running))
}

/** Starts the effect that polls feeds and reads pages. */
export const startFeedsEffect = (dependencies: Fetching, running: RuntimePorts): Promise<Consumer> =>
  pipeline.effects.feeds.start(dependencies, running)

/** Starts a stage and its effect, if it has one. */
export async function startStageAndEffect(
  name: PipelineStage,
  dependencies: StageDependencies,
  running: RuntimePorts,
): Promise<readonly Consumer[]> {
  const stage = await startStage(name, dependencies, running)
  if (name !== 'delivered') return [stage]
  return [stage, await pipeline.effects.delivered.start(await dependencies.dispatching(), running)]
}
