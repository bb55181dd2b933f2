import type { ModelPart } from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import type { RemoteFailureKind } from '../models/index.ts'

/** How a test of a model can end. What is no kind of a failed call is explained at its sentence. */
export type ModelVerdict =
  | RemoteFailureKind
  | 'works'
  | 'answered'
  | 'refuses-tools'
  | 'not-a-completion'
  | 'unknown-model'
  | 'unusable'
  | 'other-width'
  | 'unusable-settings'
  | 'bundled-failed'
  | 'not-configured'

type Sentence = Readonly<Record<AnswerLanguage, string>>

/** `{…}` is the name of the part's variable for that setting. */
const sentences: Readonly<Record<ModelVerdict, Sentence>> = {
  works: { zh: '模型已正常回应。', en: 'The model answered.' },
  answered: {
    zh: '模型有回应，但没有按要求调用工具。请确认该模型支持工具调用，否则助手无法检索。',
    en: 'The model answers, but did not call a tool when it was asked to. Check that this model can call tools: without them the agent can look nothing up.'
  },
  'refuses-tools': {
    zh: '模型能回应，但拒绝带工具的请求。请把 {model} 换成支持工具调用的模型。',
    en: 'The model answers, but refuses requests with tools. Set {model} to a model that can call tools.'
  },
  'not-a-completion': {
    zh: '有回应，但不是对话补全的格式。请检查 {baseUrl}：它应当是兼容 OpenAI 接口的地址，通常以 /v1 结尾。',
    en: 'Something answered, but not with a chat completion. Check {baseUrl}: it is the address of an OpenAI-compatible interface, and usually ends with /v1.'
  },
  'unknown-model': {
    zh: '服务端不认识这个模型。请检查 {model} 的拼写，以及该密钥是否有权使用它。',
    en: 'The server does not know this model. Check the spelling of {model}, and that the key may use it.'
  },
  unauthorised: {
    zh: '密钥被拒绝。请检查 {apiKey}：是否完整、是否过期、是否属于这个服务。',
    en: 'The key was refused. Check {apiKey}: is it complete, still valid, and of this server?'
  },
  'unknown-address': {
    zh: '服务端没有这个地址，或不认识这个模型。请检查 {baseUrl} 的路径（通常到 /v1 为止）和 {model}。',
    en: 'The server does not know this address, or not this model. Check the path in {baseUrl}, which usually ends with /v1, and {model}.'
  },
  unreachable: {
    zh: '连不上该地址。请检查 {baseUrl} 的主机名和端口、网络与代理，以及服务是否在运行。',
    en: 'The address could not be reached. Check host and port in {baseUrl}, the network and its proxy, and that the server runs.'
  },
  'timed-out': {
    zh: '在时限内没有完整的回应。服务可能过载或卡住，也可能被防火墙拦截；请稍后再试，或检查 {baseUrl}。',
    en: 'There was no whole answer in time. The server may be overloaded or stalled, or a firewall in between; try again later, or check {baseUrl}.'
  },
  busy: {
    zh: '服务端繁忙、限流或出错。请稍后再试，并检查额度。',
    en: 'The server is busy, limits how often it is asked, or has a fault of its own. Try again later, and check the quota.'
  },
  redirected: {
    zh: '该地址跳转到了别处，为了不泄露密钥没有跟随。请把 {baseUrl} 改成最终地址（例如 https）。',
    en: 'The address redirects elsewhere, which is not followed because the key would go along. Set {baseUrl} to the final address, such as its https form.'
  },
  refused: {
    zh: '服务端拒绝了一个最简单的请求。请检查 {model} 与服务是否匹配，以及该服务是否兼容所选的接口。',
    en: 'The server refused the plainest request. Check that {model} belongs to this server, and that the server speaks this protocol.'
  },
  'too-long': {
    zh: '服务端认为一个很短的请求也太长。请检查 {model}。',
    en: 'The server takes even a very short request for too long. Check {model}.'
  },
  unreadable: {
    zh: '回应不是 JSON，或过大。请检查 {baseUrl} 是否指向模型接口，而不是网页或代理。',
    en: 'The answer is not JSON, or too large. Check that {baseUrl} is the address of the model and not of a page or a proxy.'
  },
  unusable: {
    zh: '有回应，但内容不符合接口约定。请检查 {baseUrl}、{model} 与所选的接口是否匹配。',
    en: 'Something answered, but not as the protocol says. Check that {baseUrl}, {model} and the protocol belong together.'
  },
  'other-width': {
    zh: '向量的维数与设置不同。请把 {dimension} 改为该模型的维数，然后重建索引。',
    en: 'The vectors have another width than the settings say. Set {dimension} to that of the model, then rebuild the index.'
  },
  'unusable-settings': {
    zh: '设置的地址或密钥无法使用。请检查 {baseUrl} 和 {apiKey} 中是否有多余的字符。',
    en: 'The address or the key can not be used as it is set. Check {baseUrl} and {apiKey} for stray characters.'
  },
  'bundled-failed': {
    zh: '内置模型没有回应。请运行 oncall doctor --models 查看原因。',
    en: 'The bundled model did not answer. Run oncall doctor --models to see why.'
  },
  'not-configured': {
    zh: '没有配置对话模型。请设置 {baseUrl} 和 {model}（需要时还有 {apiKey}），然后重启服务。',
    en: 'No chat model is configured. Set {baseUrl} and {model} (and {apiKey} where it takes one), then start the server again.'
  }
}

const good: ReadonlySet<ModelVerdict> = new Set(['works', 'answered'])

export function isGood(verdict: ModelVerdict): boolean {
  return good.has(verdict)
}

/** What a person is told; `variableOf` names the setting's variable of the part: baseUrl → KB_CHAT__BASE_URL. */
export function verdictMessage(
  verdict: ModelVerdict,
  language: AnswerLanguage,
  { part, variableOf }: { readonly part: ModelPart; readonly variableOf: (part: ModelPart, key: string) => string }
): string {
  return sentences[verdict][language].replaceAll(/\{(\w+)\}/g, (_whole, key: string) => variableOf(part, key))
}
