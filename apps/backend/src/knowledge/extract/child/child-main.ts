import { AppError } from '@oncall-agent/api-contracts'
import { prepareDocument } from '../prepare-document.ts'
import { type TokenCounter, estimateTokens, loadTokenCounter } from './count-tokens.ts'
import type { ChildAnswer, ChildCommand } from './protocol.ts'

// The child process that reads documents. It lives until its parent closes the channel or kills it.
let countTokens: TokenCounter = estimateTokens

process.on('message', (command: ChildCommand) => {
  void answer(command).then((reply) => process.send?.(reply))
})
// Without its parent nobody wants the work.
process.on('disconnect', () => process.exit(0))

async function answer(command: ChildCommand): Promise<ChildAnswer> {
  try {
    if (command.kind === 'start') {
      countTokens = await loadTokenCounter(command.tokenCounter)
      return { kind: 'started' }
    }
    return { kind: 'prepared', document: await prepareDocument(command.request, countTokens) }
  } catch (error) {
    if (!(error instanceof AppError))
      return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    const { code, operation, subject, message, hint, details, cause } = error
    const context = { operation, subject, message, hint, ...(details === undefined ? {} : { details }) }
    return {
      kind: 'refused',
      code,
      context: cause instanceof Error ? { ...context, causeMessage: cause.message } : context
    }
  }
}
