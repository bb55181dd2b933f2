import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type AlertingPrograms, requirePrograms } from './required-tools.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** Nobody is told: alerts are there to be read. */
const QUIET = 'route:\n  receiver: nobody\n  group_wait: 0s\n  group_interval: 1s\nreceivers:\n  - name: nobody\n'

export interface AlertingOptions {
  /** Where data, settings and logs go; a temporary folder that `stop` removes unless said otherwise. */
  readonly folder?: string
  /** Lives on when this process ends. */
  readonly isDetached?: boolean
  /** A file of Prometheus' alerting rules, as YAML; none when absent. */
  readonly rules?: string
  /** Alertmanager's settings, as YAML; without them nobody is notified. */
  readonly alertmanagerConfig?: string
}

export interface RunningAlerting {
  readonly prometheus: ServerProcess
  readonly alertmanager: ServerProcess
  /** Takes the place of the rules, and waits until Prometheus has read them. */
  readonly setRules: (rules: string) => Promise<void>
  /** Kills both and removes a folder that was made here; may be called again. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a real Prometheus, which scrapes itself each second, and a real Alertmanager that it notifies, on free ports of
 * the loopback address, and waits until both are ready. Any number of them may run at once.
 * @throws Error that says what is missing on this machine, or how the log ends
 */
export async function startAlerting(options: AlertingOptions = {}): Promise<RunningAlerting> {
  const programs = await requirePrograms()
  const folder = resolve(options.folder ?? (await mkdtemp(join(tmpdir(), 'oncall-alerting-'))))
  const started: ServerProcess[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.kill('SIGKILL')))
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    await mkdir(folder, { recursive: true })
    const where = { programs, folder, isDetached: options.isDetached === true }
    const alertmanager = await startAlertmanager(where, options.alertmanagerConfig ?? QUIET)
    started.push(alertmanager)
    await writeFile(rulesFile(folder), options.rules ?? '')
    const prometheus = await startPrometheus(where, alertmanager.url)
    started.push(prometheus)
    return { prometheus, alertmanager, setRules: (rules) => setRules(prometheus, folder, rules), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Where {
  readonly programs: AlertingPrograms
  readonly folder: string
  readonly isDetached: boolean
}

function rulesFile(folder: string): string {
  return join(folder, 'rules.yml')
}

async function startAlertmanager({ programs, folder, isDetached }: Where, config: string): Promise<ServerProcess> {
  const configFile = join(folder, 'alertmanager.yml')
  await writeFile(configFile, config)
  const options = [
    `--config.file=${configFile}`,
    `--storage.path=${join(folder, 'alertmanager')}`,
    '--web.listen-address=127.0.0.1:0',
    // Alone: no gossip, and no port for it.
    '--cluster.listen-address='
  ]
  return startServer({ name: 'alertmanager', program: programs.alertmanager, options, folder, isDetached })
}

async function startPrometheus({ programs, folder, isDetached }: Where, alertmanager: string): Promise<ServerProcess> {
  const configFile = join(folder, 'prometheus.yml')
  const notified = alertmanager.replace('http://', '')
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rulesFile(folder)],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [notified] }] }] },
    scrape_configs: [{ job_name: 'alertmanager', static_configs: [{ targets: [notified] }] }]
  }
  // JSON is YAML, and quotes whatever a folder's name may hold.
  await writeFile(configFile, JSON.stringify(settings, null, 2))
  const options = [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${join(folder, 'prometheus')}`,
    '--web.listen-address=127.0.0.1:0',
    '--web.enable-lifecycle',
    // It finds Alertmanager only some seconds after its start, and would send again only after a minute.
    '--rules.alert.resend-delay=2s'
  ]
  return startServer({ name: 'prometheus', program: programs.prometheus, options, folder, isDetached })
}

async function setRules({ url }: ServerProcess, folder: string, rules: string): Promise<void> {
  await writeFile(rulesFile(folder), rules)
  const answer = await fetch(`${url}/-/reload`, { method: 'POST' })
  if (!answer.ok) throw new Error(`Prometheus does not take the rules: ${await answer.text()}`)
}
