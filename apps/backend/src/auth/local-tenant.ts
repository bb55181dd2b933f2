import { AppError } from '@oncall-agent/api-contracts'
import type { BusinessStore } from '../store/index.ts'

/**
 * Owner of what `oncall index` fills, which no account is: whoever works on the data folder itself and, while there is
 * no account, whoever asks from this machine.
 */
export const LOCAL_TENANT = 'local'

/** Knowledge base of `oncall index` when none is named. */
export const DEFAULT_KNOWLEDGE_BASE = 'default'

export interface LocalReader {
  readonly tenantId: string
  readonly userId: string
  readonly readable: readonly { readonly tenantId: string; readonly knowledgeBaseId: string }[]
}

/**
 * Who asks, and which knowledge bases they may read; narrowed to those of the given names when there are any.
 * @throws AppError NOT_FOUND naming a knowledge base that is not there
 */
export async function localReader(store: BusinessStore, names: readonly string[] = []): Promise<LocalReader> {
  const known = await store.knowledgeBases.ofTenant(LOCAL_TENANT)
  for (const name of names) {
    if (known.some((base) => base.name === name)) continue
    throw new AppError('NOT_FOUND', {
      operation: 'choose knowledge base',
      subject: name,
      message: `There is no knowledge base named ${name}.`,
      hint: `Known: ${known.map((base) => base.name).join(', ') || 'none; oncall index <folder> makes one'}.`
    })
  }
  const readable = known
    .filter((base) => names.length === 0 || names.includes(base.name))
    .map((base) => ({ tenantId: base.tenantId, knowledgeBaseId: base.id }))
  return { tenantId: LOCAL_TENANT, userId: LOCAL_TENANT, readable }
}
