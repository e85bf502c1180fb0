import { SHARED } from '../../domain/intake/articles.ts'

export interface GateDecision {
  readonly forwarded: boolean
  readonly gate_reason: 'passed' | 'below_gate' | 'private_bypass'
}

/** The quality gate: it stands in the shared namespace only. */
export function gate(namespace: string, quality: number, minimum: number): GateDecision {
  if (namespace !== SHARED) return { forwarded: true, gate_reason: 'private_bypass' }
  return quality >= minimum
    ? { forwarded: true, gate_reason: 'passed' }
    : { forwarded: false, gate_reason: 'below_gate' }
}
