import type { Browser } from 'playwright-core'
import { temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from '../service/model-stub.ts'
import { type Served, startServer } from '../service/served.ts'
import { launchBrowser, visit, type Visit, type VisitOptions } from './browser.ts'

/** A real server that nobody has used yet, with quick models, and a real browser. */
export interface Bench {
  readonly server: Served
  readonly stub: ModelStub
  readonly browser: Browser
  /** The server's data folder. */
  readonly data: string
  visit(options?: VisitOptions): Promise<Visit>
  /** At the same address, after it was stopped. */
  startAgain(): Promise<void>
  close(): Promise<void>
}

export async function openBench(environment: Readonly<Record<string, string>> = {}): Promise<Bench> {
  const [stub, folder, browser] = await Promise.all([startModelStub(), temporaryFolder(), launchBrowser()])
  let server = await startServer(folder.path, { ...stub.environment, ...environment })
  const { port } = new URL(server.address)
  return {
    get server() {
      return server
    },
    stub,
    browser,
    data: folder.path,
    visit: (options) => visit(browser, server.address, options),
    startAgain: async () => {
      server = await startServer(folder.path, { ...stub.environment, ...environment, KB_SERVER__PORT: port })
    },
    close: async () => {
      await browser.close()
      await server.stop()
      await Promise.all([stub.close(), folder.remove()])
    }
  }
}
