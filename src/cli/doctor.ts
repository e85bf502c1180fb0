import type { Command } from 'commander'
import { doctorChecks, type Finding } from '../operations/doctor-checks.ts'
import type { Wiring } from '../ports/wiring.ts'

export const doctorCommand = (program: Command, { config, out }: Wiring): void => {
  program
    .command('doctor')
    .description('check the installation and the configuration; exit with 1 if a check fails')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { readonly json?: true }) => {
      const checks = Object.entries(doctorChecks(config))
      const findings = await Promise.all(
        checks.map(async ([name, check]): Promise<Finding> => ({ name, ...(await check()) })),
      )
      const isWell = findings.every(({ ok }) => ok)
      if (json) out.json({ ok: isWell, checks: findings })
      else findings.forEach(({ name, ok, says }) => out.line(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(14)} ${says}`))
      if (!isWell) throw new Error('at least one check failed')
    })
}
