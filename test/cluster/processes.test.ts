import { describe, expect, it } from 'vitest'
import { pipeline } from '../../src/pipeline.ts'
import { ROLES } from '../../src/wiring/roles.ts'
import { clusterSettings, prepareCommands } from './environment.ts'
import { plannedProcesses } from './processes.ts'

const processesWith = (role: string): number =>
  plannedProcesses(['a', 'b', 'c']).filter(({ roles }) => roles.includes(role)).length

describe('the processes of the cluster', () => {
  it.each(Object.keys(pipeline.stages))('are two with the stage %s', (stage) => {
    expect(processesWith(stage)).toBe(2)
  })

  it('are two with the views of each store', () => {
    expect(['views@a', 'views@b', 'views@c'].map(processesWith)).toEqual([2, 2, 2])
  })

  it('are two with the API, and one with the scheduler', () => {
    expect([processesWith('api'), processesWith('scheduler')]).toEqual([2, 1])
  })

  it('leave out no role', () => {
    expect(ROLES.filter((role) => !role.startsWith('view:') && processesWith(role) === 0)).toEqual([])
  })

  it('have a name each', () => {
    const names = plannedProcesses(['a', 'b', 'c']).map(({ name }) => name)

    expect(new Set(names).size).toBe(names.length)
  })
})

describe('what is read from docker/kubernetes', () => {
  it('is the commands that prepare the engines', () => {
    expect(prepareCommands()).toEqual([['topics', 'apply'], ['schemas', 'register'], ['migrate']])
  })

  it('is settings, but no address or folder of a pod', () => {
    const settings = clusterSettings()

    expect(settings).toMatchObject({ TOPIC_PARTITIONS: 'production', STAGE_PROCESSES: '1', ENCODER_PROCESSES: '1' })
    expect(Object.values(settings).filter((value) => /^\/|\/\/|kafka|registry|0\.0\.0\.0/.test(value))).toEqual([])
  })
})
