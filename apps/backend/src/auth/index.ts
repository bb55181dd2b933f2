export { mayCall, type Permission } from './access/may-call.ts'
export { tenantsReadBy } from './access/tenants-read-by.ts'
export type { Users } from './accounts/users.ts'
export type { Auth, PasswordReplacement, SignedIn } from './auth.ts'
export type { Caller } from './caller.ts'
export { type AuthOptions, createAuth } from './create-auth.ts'
export {
  DEFAULT_KNOWLEDGE_BASE,
  knowledgeBaseName,
  LOCAL_TENANT,
  type LocalReader,
  localReader
} from './local-tenant.ts'
export { addressKey } from './sign-in/address-key.ts'
