import { seal, unseal } from './seal.ts'
import { sealingKey, type SealingKeySource } from './sealing-key.ts'

/** By name: environment values of a program, headers of an address. */
export type Secrets = Readonly<Record<string, string>>

/** Whose secrets: they open for this server of this tenant alone. */
export interface SecretsOwner {
  readonly id: string
  readonly tenantId: string
}

/** Seals and unseals the secrets of tool servers. Both throw AppError as `sealingKey` and `unseal`. */
export interface ServerSecrets {
  /** Null for no secrets, which needs no key. */
  seal(secrets: Secrets, owner: SecretsOwner): Promise<string | null>
  unseal(sealed: string | null, owner: SecretsOwner): Promise<Secrets>
}

export function createServerSecrets(source: SealingKeySource): ServerSecrets {
  return {
    seal: async (secrets, owner) => {
      if (Object.keys(secrets).length === 0) return null
      return seal(JSON.stringify(secrets), await sealingKey(source, true), boundTo(owner))
    },
    unseal: async (sealed, owner) => {
      if (sealed === null) return {}
      return JSON.parse(unseal(sealed, await sealingKey(source, false), boundTo(owner))) as Secrets
    }
  }
}

function boundTo({ id, tenantId }: SecretsOwner): readonly string[] {
  return ['mcp server', tenantId, id]
}
