import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiClient, createApiClient, readEvents } from '@oncall-agent/api-contracts'
import { type ChatModelServer, says, saysSlowly, startChatModelServer } from '@oncall-agent/backend/chat-model-server'
import { type BenchContext, effort } from '../bench-context.ts'
import { median, percentile, timeInTurn, timeOnce } from '../measure/samples.ts'
import { atMost, type BenchResult, judge } from '../results/bench-result.ts'
import { type ServerProcess, startServer } from '../server-process.ts'

/** Tokens of the long answer that the cost of one is taken from. */
const tokens = 2_000
const rounds = 15
const fewRounds = 3
const firsts = 40
const fewFirsts = 5
const streams = 200
const fewStreams = 20
/** As fast as people's models are: 25 tokens a second for eight seconds. */
const everyMs = 40
const slowTokens = 200
/** What the server's own measurement of its event loop adds: the interval of the timer that it watches. */
const loopTimerMs = 10

/** Answers of a scripted model that is as quick as no real one, through a real server process over an empty data folder. */
export async function benchChat(context: BenchContext): Promise<readonly BenchResult[]> {
  const directory = await mkdtemp(join(tmpdir(), 'oncall-bench-chat-'))
  const model = await startChatModelServer(says('ok'))
  const server = await startServer(directory, {
    KB_CHAT__BASE_URL: model.baseUrl,
    KB_CHAT__MODEL: 'scripted',
    KB_AUTH__REQUESTS_PER_MINUTE: '1000000'
  })
  const chat: Chat = { model, server, api: createApiClient({ baseUrl: server.address }) }
  try {
    return [
      ...(await firstEvents(context, chat)),
      await overheadOfATokens(context, chat),
      await manyStreams(context, chat)
    ]
  } finally {
    await server.stop()
    await model.close()
    await rm(directory, { recursive: true, force: true })
  }
}

interface Chat {
  readonly model: ChatModelServer
  readonly server: ServerProcess
  readonly api: ApiClient
}

/** Of new conversations, so that no history grows meanwhile. */
async function ask({ api }: Chat): Promise<AsyncGenerator<unknown>> {
  const { id } = await api.createConversation({ body: {} })
  return api.sendMessage({ params: { id }, body: { content: '磁盘满了怎么办' } })
}

async function readToEnd(events: AsyncIterator<unknown>): Promise<void> {
  while (!(await events.next()).done);
}

async function firstEvents(context: BenchContext, chat: Chat): Promise<readonly BenchResult[]> {
  context.progress.step('timing first events')
  const times: number[] = []
  for (let number = 0; number < effort(context, firsts, fewFirsts); number++) {
    const { id } = await chat.api.createConversation({ body: {} })
    const started = performance.now()
    const events = await chat.api.sendMessage({ params: { id }, body: { content: 'What now?' } })
    await events.next()
    times.push(performance.now() - started)
    await readToEnd(events)
  }
  const note = `from the request to its first event, ${times.length} messages one after another, the first of the process among them`
  return [
    judge({ name: 'chat.first-event', value: median(times), unit: 'ms', note }, atMost(150)),
    judge({ name: 'chat.first-event-worst', value: percentile(times, 1), unit: 'ms', note }, atMost(150))
  ]
}

/** The same stream read from the model itself and through the server, in turn. */
async function overheadOfATokens(context: BenchContext, chat: Chat): Promise<BenchResult> {
  context.progress.step(`timing streams of ${tokens} tokens`)
  chat.model.usually(says(...Array.from({ length: tokens }, (_, number) => `token ${number} `)))
  const direct = async (): Promise<void> => {
    const response = await fetch(`${chat.model.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ stream: true, messages: [] })
    })
    for await (const event of readEvents(response.body!)) if (event.data !== '[DONE]') JSON.parse(event.data)
  }
  const samples = await timeInTurn(
    { ours: async () => readToEnd(await ask(chat)), direct },
    effort(context, rounds, fewRounds)
  )
  const [ours, theirs] = [median(samples.ours), median(samples.direct)]
  return judge(
    {
      name: 'chat.overhead-per-token',
      value: (ours - theirs) / tokens,
      unit: 'ms',
      note: `${tokens} tokens through the server ${ours.toFixed(0)} ms, from the model itself ${theirs.toFixed(0)} ms`
    },
    atMost(1)
  )
}

async function manyStreams(context: BenchContext, chat: Chat): Promise<BenchResult> {
  const count = effort(context, streams, fewStreams)
  context.progress.step(`${count} streams at once`)
  chat.model.usually(saysSlowly(everyMs, ...Array.from({ length: slowTokens }, (_, number) => `t${number} `)))
  // Each look begins the measurement anew.
  await loopLagMs(chat)
  const { ms } = await timeOnce(() =>
    Promise.all(Array.from({ length: count }, async () => readToEnd(await ask(chat))))
  )
  const value = Math.max(0, (await loopLagMs(chat)) - loopTimerMs)
  const least = slowTokens * everyMs
  const note = `${count} answers of ${slowTokens} tokens at once, one every ${everyMs} ms: all told after ${(ms / 1_000).toFixed(1)} s, the model alone takes ${(least / 1_000).toFixed(1)} s; model and readers on the same machine`
  return judge({ name: 'chat.loop-delay-p99', value, unit: 'ms', note }, atMost(50))
}

/** The 99th percentile since the last look, timer included, from the server's own measurements. */
async function loopLagMs({ server }: Chat): Promise<number> {
  const text = await (await fetch(`${server.address}/metrics`)).text()
  const found = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]
  if (found === undefined) throw new Error('/metrics says nothing of the event loop')
  return Number(found) * 1_000
}
