import type { components } from '../../../sdk/src/index.ts'
import { useMemo } from 'preact/hooks'
import { useAnswer } from '../state/answer.ts'
import { asOf, link } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { count, counted, entityType, percent } from '../words/format.ts'
import { layout, type PlacedNode, type LayoutRoom } from '../words/layout.ts'
import { Shown } from './states.tsx'

type NetworkGraph = components['schemas']['EntityNetwork']

/** A drawing keeps the size of its words on a narrow page: it has fewer of them and is as narrow. */
const WIDE = { width: 640, height: 420, nodes: 18 }
const NARROW = { width: 360, height: 440, nodes: 11 }

const sizeNow = (): typeof WIDE => (matchMedia('(max-width: 760px)').matches ? NARROW : WIDE)

/** Co-mentioned entities, as a drawing and as a table. */
export function Network({ id }: { readonly id: string }) {
  const as_of = asOf()
  const size = sizeNow()
  const reply = useAnswer({
    name: `network ${id} ${size.nodes} ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const query = { entity: id, max_nodes: size.nodes, min_strength: 0.1, ...(as_of && { as_of }) }
      return bodyOf(await api.GET('/v1/relationships/network', { params: { query }, signal }))
    },
  })
  return (
    <section>
      <h2>Who it is named with</h2>
      <Shown reply={reply} what="the network">
        {(graph) =>
          graph.nodes.length < 2 ? (
            <p class="quiet">Nobody is named with it often enough.</p>
          ) : (
            <>
              <Drawing graph={graph} root={id} size={size} />
              <Legend />
              <Table graph={graph} />
            </>
          )
        }
      </Shown>
    </section>
  )
}

const Legend = () => (
  <p class="quiet legend">
    <i class="root" /> this one <i class="person" /> people <i class="thing" /> others. The larger, the more often
    named; a red line: against each other, a green one: together, a gold one: one because of the other.
  </p>
)

interface DrawingProperties {
  readonly graph: NetworkGraph
  readonly root: string
  readonly size: LayoutRoom
}

function Drawing({ graph: { nodes, edges }, root, size: { width, height } }: DrawingProperties) {
  const places = useMemo(() => layout({ nodes, edges }, { width, height }), [nodes, edges, width])
  const at = (id: string): PlacedNode => places.get(id) ?? { x: width / 2, y: height / 2 }
  const most = Math.max(1, ...nodes.map(({ mentions }) => mentions))
  return (
    <svg
      class="network"
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label="Network; the table below says the same"
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

const Table = ({ graph: { nodes, edges } }: { readonly graph: NetworkGraph }) => {
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  return (
    <details>
      <summary>As a table</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label="The network as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">One</th>
              <th scope="col">Other</th>
              <th scope="col">How</th>
              <th scope="col">Strength</th>
              <th scope="col">Articles</th>
            </tr>
          </thead>
          <tbody>
            {edges.map(({ source, target, type, strength, co_mentions }) => (
              <tr key={`${source} ${target} ${type}`}>
                <td>{names.get(source)}</td>
                <td>{names.get(target)}</td>
                <td>{type.replace('_', ' ')}</td>
                <td>{percent(strength)}</td>
                <td>{count(co_mentions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="quiet">{counted(nodes.length, 'entity', 'entities')}</p>
    </details>
  )
}
