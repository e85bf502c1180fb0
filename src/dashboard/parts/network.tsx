import { useMemo } from 'preact/hooks'
import { useGet } from '../state/answer.ts'
import { asOf, link } from '../state/place.ts'
import { count, counted, entityType, percent } from '../words/format.ts'
import { layout, type NodePosition, type LayoutSize } from '../words/layout.ts'
import { Shown, Table } from './states.tsx'
import type { ApiSchemas } from '../words/schemas.ts'

/** On a narrow page the graph has fewer nodes, so that labels keep their size. */
const WIDE = { width: 640, height: 420, nodes: 18 }
const NARROW = { width: 360, height: 440, nodes: 11 }

const sizeNow = (): typeof WIDE => (matchMedia('(max-width: 760px)').matches ? NARROW : WIDE)

/** Co-mentioned entities, as a graph and as a table. */
export function Network({ id }: { readonly id: string }) {
  const size = sizeNow()
  const query = { entity: id, max_nodes: size.nodes, min_strength: 0.1, as_of: asOf() }
  const reply = useGet('/v1/relationships/network', query)
  return (
    <section>
      <h2>Related entities</h2>
      <Shown reply={reply} what="the network">
        {(graph) =>
          graph.nodes.length < 2 ? (
            <p class="quiet">No entities are mentioned with it often enough.</p>
          ) : (
            <>
              <Drawing graph={graph} root={id} size={size} />
              <Legend />
              <Relationships graph={graph} />
            </>
          )
        }
      </Shown>
    </section>
  )
}

const Legend = () => (
  <p class="quiet legend">
    <i class="root" /> this entity <i class="person" /> people <i class="thing" /> others. Size shows the number of
    mentions. Lines: red for conflict, green for cooperation, gold for cause and effect.
  </p>
)

interface DrawingProperties {
  readonly graph: ApiSchemas['EntityNetwork']
  readonly root: string
  readonly size: LayoutSize
}

function Drawing({ graph: { nodes, edges }, root, size: { width, height } }: DrawingProperties) {
  const positions = useMemo(() => layout({ nodes, edges }, { width, height }), [nodes, edges, width])
  const at = (id: string): NodePosition => positions.get(id) ?? { x: width / 2, y: height / 2 }
  const most = Math.max(1, ...nodes.map(({ mentions }) => mentions))
  return (
    <svg
      class="network"
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label="Network. The table below shows the same data"
    >
      {edges.map(({ source, target, strength, type }) => (
        <line
          key={`${source} ${target} ${type}`}
          class={type}
          x1={at(source).x}
          y1={at(source).y}
          x2={at(target).x}
          y2={at(target).y}
          stroke-width={0.4 + strength * 1.6}
        />
      ))}
      {nodes.map(({ id, name, type, mentions }) => (
        <a key={id} href={link('entities', id)} aria-label={`${name}, ${entityType(type)}`}>
          <circle
            cx={at(id).x}
            cy={at(id).y}
            r={6 + 12 * Math.sqrt(mentions / most)}
            class={id === root ? 'root' : type}
          />
          <text x={at(id).x} y={at(id).y - 10 - 12 * Math.sqrt(mentions / most)}>
            {name}
          </text>
        </a>
      ))}
    </svg>
  )
}

const Relationships = ({ graph: { nodes, edges } }: { readonly graph: ApiSchemas['EntityNetwork'] }) => {
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  return (
    <details>
      <summary>Show as table</summary>
      <Table
        label="The network as a table"
        columns={['Entity', 'Related entity', 'Relationship', 'Strength', 'Articles']}
        rows={edges.map(({ source, target, type, strength, co_mentions }) => [
          names.get(source),
          names.get(target),
          type.replace('_', ' '),
          percent(strength),
          count(co_mentions),
        ])}
      />
      <p class="quiet">{counted(nodes.length, 'entity', 'entities')}</p>
    </details>
  )
}
