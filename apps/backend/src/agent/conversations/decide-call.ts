import { AppError } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { WaitingCall } from './conversations.ts'
import type { ChatParts } from './chat-parts.ts'
import { ownMessage } from './kept-conversations.ts'

/** Tells a waiting call what a person says, wherever it waits. */
export async function decideCall(
  { store, running }: ChatParts,
  caller: Caller,
  call: WaitingCall,
  approved: boolean
): Promise<void> {
  const { callId } = call
  const message = await ownMessage(store, caller, call)
  const run = running.all.get(message.id)
  const tools = run?.log.progress.tools ?? message.tools
  const known = tools.find((each) => each.callId === callId)
  if (known === undefined) throw new AppError('NOT_FOUND', { operation: 'decide call', subject: callId })
  const isOpen = message.status === 'streaming' && known.status === 'waiting'
  const waits = run === undefined ? isOpen : run.waitsFor(callId)
  // The first word that is stored is the one that counts, through whichever process it came; then whoever waits is told.
  if (!waits || !(await store.answers.decide(message.id, { callId, approved }, Date.now()))) throw decidedBefore(callId)
  run?.decided({ callId, approved })
}

function decidedBefore(subject: string): AppError {
  const message = 'This call does not wait for a decision any more.'
  return new AppError('CONFLICT', { operation: 'decide call', subject, message })
}
