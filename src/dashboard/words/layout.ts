import {
  forceCenter,
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  type SimulationNodeDatum,
} from 'd3-force'

interface Node {
  readonly id: string
  readonly mentions: number
}

interface Edge {
  readonly source: string
  readonly target: string
  /** 0 to 1. */
  readonly strength: number
}

interface SimulatedNode extends SimulationNodeDatum {
  readonly id: string
}

export interface NodePosition {
  readonly x: number
  readonly y: number
}

export interface LayoutSize {
  readonly width: number
  readonly height: number
}

/** Space for labels at the edges. */
const MARGIN = { across: 76, down: 40 }
/** Enough for the layout to converge. */
const STEPS = 200

interface Network {
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
}

/** The position of each node of a network, strong edges short. Deterministic. */
export function layout({ nodes, edges }: Network, { width, height }: LayoutSize): ReadonlyMap<string, NodePosition> {
  const moving: SimulatedNode[] = nodes.map(({ id }) => ({ id }))
  const links = edges.map(({ source, target, strength }) => ({ source, target, strength }))
  const simulation = forceSimulation(moving)
    .force(
      'link',
      forceLink<SimulatedNode, (typeof links)[number]>(links)
        .id(({ id }) => id)
        .distance(({ strength }) => 160 - 80 * strength),
    )
    .force('apart', forceManyBody().strength(-900).distanceMax(400))
    .force('room', forceCollide(34))
    .force('middle', forceCenter())
    .stop()
  simulation.tick(STEPS)
  const xs = moving.map(({ x = 0 }) => x)
  const ys = moving.map(({ y = 0 }) => y)
  const across = fitted(xs, { room: width, margin: MARGIN.across })
  const down = fitted(ys, { room: height, margin: MARGIN.down })
  return new Map(moving.map(({ id, x = 0, y = 0 }) => [id, { x: across(x), y: down(y) }]))
}

/** Scales positions to fill the drawing; a single one is centred. */
function fitted(
  positions: readonly number[],
  { room, margin }: { readonly room: number; readonly margin: number },
): (position: number) => number {
  const [low, high] = [Math.min(...positions), Math.max(...positions)]
  return (position) => (high === low ? room / 2 : margin + ((position - low) / (high - low)) * (room - 2 * margin))
}
