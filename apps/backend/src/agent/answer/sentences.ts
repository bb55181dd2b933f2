import type { ErrorCode, Failure } from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'

type Sentence = Readonly<Record<AnswerLanguage, string>>

/** What is said by the product and not by a model: fixed, so that no failure of a model can leave it out. */
export const sentences = {
  retrievalFailed: {
    en: 'The knowledge base could not be searched this time. Nothing above is based on it, and nothing can be said about what it holds.',
    zh: '本次未能检索知识库：以上内容没有知识库依据，也不能说明知识库中有什么或没有什么。'
  },
  laterRetrievalFailed: {
    en: 'A later search of the knowledge base failed. Only what is marked as cited is based on it, and nothing can be said about what else it holds.',
    zh: '后续一次知识库检索失败：只有标注了引用的内容有知识库依据，不能说明知识库中还有什么或没有什么。'
  },
  noModel: {
    en: 'No chat model is configured. This is what the knowledge base holds on the question, as it was found:',
    zh: '未配置对话模型，以下是在知识库中检索到的原文依据：'
  },
  noModelFailed: {
    en: 'No chat model is configured, and the knowledge base could not be searched this time. Nothing can be said about what it holds.',
    zh: '未配置对话模型，且本次未能检索知识库，不能说明知识库中有什么或没有什么。'
  },
  noModelEmpty: {
    en: 'No chat model is configured, and nothing was found on the question in the knowledge bases that were searched.',
    zh: '未配置对话模型，且在所检索的知识库中没有找到与问题相关的内容。'
  },
  questionCut: {
    en: 'The question is long; its first 4,000 characters were searched for.',
    zh: '问题较长，仅用前 4,000 个字符进行了检索。'
  }
} as const satisfies Record<string, Sentence>

const failures = {
  stopped: ['CANCELLED', { en: 'The answer was stopped before it ended.', zh: '回答在完成前被停止。' }],
  deadline: [
    'LIMIT_REACHED',
    { en: 'The answer took too long (chat.deadlineMs).', zh: '回答超过时间限制（chat.deadlineMs）。' }
  ],
  steps: [
    'LIMIT_REACHED',
    { en: 'The answer took too many steps (chat.maxSteps).', zh: '回答超过步数限制（chat.maxSteps）。' }
  ],
  calls: ['LIMIT_REACHED', { en: 'Too many calls of tools in one step.', zh: '单个步骤中的工具调用过多。' }],
  noTool: ['NOT_FOUND', { en: 'There is no tool of this name.', zh: '没有这个名称的工具。' }],
  notAllowed: ['AUTH_FORBIDDEN', { en: 'No person allowed this call.', zh: '没有人批准此次调用。' }],
  stoppedCall: ['CANCELLED', { en: 'It was stopped before it ended.', zh: '操作在完成前被停止。' }],
  stoppedWhileItRan: [
    'CANCELLED',
    { en: 'It was stopped while it ran: it may have taken effect.', zh: '在执行过程中被停止：可能已经生效。' }
  ],
  length: [
    'LIMIT_REACHED',
    { en: 'The answer became too long (chat.maxOutputTokens).', zh: '回答超过长度限制（chat.maxOutputTokens）。' }
  ],
  context: [
    'LIMIT_REACHED',
    {
      en: 'The question and its tools do not fit into what the chat model reads (chat.contextTokens).',
      zh: '问题与工具超出对话模型可读取的长度（chat.contextTokens）。'
    }
  ],
  model: ['SYSTEM_UNAVAILABLE', { en: 'The chat model is temporarily unavailable.', zh: '对话模型暂时不可用。' }],
  modelRefused: [
    'SYSTEM_UNAVAILABLE',
    {
      en: 'The chat model did not accept the request; an administrator can test it in the settings.',
      zh: '对话模型未接受请求，管理员可在设置中测试。'
    }
  ],
  silent: ['SYSTEM_UNAVAILABLE', { en: 'The chat model stopped answering.', zh: '对话模型停止了响应。' }],
  unreachable: [
    'SYSTEM_UNAVAILABLE',
    {
      en: 'The chat model can not be reached (chat.baseUrl); an administrator can test it in the settings.',
      zh: '无法连接对话模型（chat.baseUrl），管理员可在设置中测试。'
    }
  ],
  brokeOff: ['SYSTEM_UNAVAILABLE', { en: 'The connection to the chat model broke off.', zh: '与对话模型的连接中断。' }],
  empty: ['SYSTEM_UNAVAILABLE', { en: 'The chat model gave an empty answer.', zh: '对话模型返回了空回答。' }],
  withheld: [
    'SYSTEM_UNAVAILABLE',
    { en: 'The chat model withheld the rest of its answer.', zh: '对话模型隐去了其余回答。' }
  ]
} as const satisfies Record<string, readonly [ErrorCode, Sentence]>

/** Why an answer ended before its end, or a call was refused. */
export type EndingReason = keyof typeof failures

export function failureOf(reason: EndingReason, language: AnswerLanguage): Failure {
  const [code, sentence] = failures[reason]
  return { code, message: sentence[language] }
}
