/** The floors of src, from the bottom: a folder imports only from floors below its own. */
const FLOORS = [
  'events',
  'domain',
  'config',
  'ports',
  'state',
  'language',
  'runtime',
  'stages',
  'views',
  'sources',
  'api',
  'engines',
  'adapters',
  'operations',
  'wiring',
  'quality',
  'bench',
  'cli',
]

const noArrowUpwards = FLOORS.map((floor, at) => ({
  name: `no-arrow-upwards-from-${floor}`,
  severity: 'error',
  from: { path: `^src/${floor}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^src/(${['main', 'dashboard', ...FLOORS.slice(at + 1)].join('|')})(/|\\.ts)` },
}))

/** The layers, in the order they pay. Each rule was made to fail once on purpose. */
module.exports = {
  forbidden: [
    ...noArrowUpwards,
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^src/',
        pathNot: '\\.(test|d)\\.ts$|^src/main\\.ts$|^src/dashboard/|-process\\.ts$',
      },
      to: {},
    },
    {
      name: 'stages-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/stages/([^/]+)/' },
      to: { path: '^src/stages/', pathNot: '^src/stages/$1/' },
    },
    {
      name: 'decisions-are-pure',
      comment: 'In a stage folder only stage.ts, and the effect.ts of an effect, may meet the outside.',
      severity: 'error',
      from: { path: '^src/stages/', pathNot: '(/stage|/effect|\\.test)\\.ts$' },
      to: {
        pathNot: [
          '^src/events/',
          '^src/stages/',
          '^src/language/',
          '^src/(domain|state)/',
          '^node_modules/natural/',
          '^models/',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'stages-meet-only-ports',
      severity: 'error',
      from: { path: '^src/stages/[^/]+/(stage|effect)\\.ts$' },
      to: { path: '^src/(adapters|api|views|sources|engines|cli|runtime/(?!shapes))' },
    },
    {
      name: 'vendor-clients-only-in-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/adapters/', '^src/engines/'] },
      to: {
        path: 'node_modules/(kafkajs|@kafkajs|@clickhouse|onnxruntime-node|@huggingface|ffi-rs|chdb|ws|@types/ws|standardwebhooks|@opentelemetry|lmdb|@toondepauw|nodemailer|@types/nodemailer)/',
      },
    },
    {
      name: 'api-reads-views-through-ports',
      severity: 'error',
      from: { path: '^src/api/' },
      to: { path: '^src/(stages|runtime|adapters|engines|cli|sources)/' },
    },
    {
      name: 'api-http-knows-no-resource',
      comment: 'src/api/routes.ts and src/api/app.ts compose the two.',
      severity: 'error',
      from: { path: '^src/api/http/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/api/(?!http/)' },
    },
    {
      name: 'api-resources-do-not-know-each-other',
      comment:
        'Exceptions: lists of stories show clusters, trends show entities, and the OpenAPI document shows the changes ' +
        'that webhooks deliver.',
      severity: 'error',
      from: { path: '^src/api/(?!http/)([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/api/',
        pathNot: [
          '^src/api/(http|$1)/',
          '^src/api/clusters/(parts|routes)\\.ts$',
          '^src/api/entities/parts\\.ts$',
          '^src/api/changes/change-schema\\.ts$',
        ],
      },
    },
    {
      name: 'events-depend-on-nothing',
      severity: 'error',
      from: { path: '^src/events/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!events/)' },
    },
    {
      name: 'graph-and-trends-are-pure',
      comment: 'Stages, views and the API reckon alike with them.',
      severity: 'error',
      from: { path: '^src/domain/(graph|trends)/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: ['^src/events/', '^src/domain/(graph|trends)/', '^src/domain/(days|group-by)\\.ts$'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'dashboard-is-a-client',
      comment: 'It knows the service by its client alone, and nobody knows it.',
      severity: 'error',
      from: { path: '^src/dashboard/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: ['^src/dashboard/', '^sdk/src/', 'node_modules/(preact|@preact|uplot|d3-force|@types/d3-force)/'],
      },
    },
    {
      name: 'nobody-knows-the-dashboard',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/dashboard/' },
      to: { path: '^src/dashboard/' },
    },
    {
      name: 'runtime-knows-no-vendor-and-no-stage',
      severity: 'error',
      from: { path: '^src/runtime/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(adapters|stages|views|api|engines|cli|sources)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
}
