import type { Page } from '@oncall-agent/api-contracts'
import type { Kysely, Selectable } from 'kysely'
import { nextSequence } from './next-sequence.ts'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'

/** Somebody who can, or could, sign in. */
export interface Person {
  readonly id: string
  readonly username: string
  /** As a PHC string. */
  readonly passwordHash: string
  readonly role: 'admin' | 'member'
  readonly createdAt: number
  /** Null while they may sign in. */
  readonly disabledAt: number | null
}

export type PersonChange = Partial<Pick<Person, 'role' | 'passwordHash' | 'disabledAt'>>

export interface PeopleFacts {
  /** The name must be free (`named`). */
  insert(person: Person): Promise<void>
  find(userId: string): Promise<Person | undefined>
  /** Whoever has that name in upper or lower case, of any script. */
  named(username: string): Promise<Person | undefined>
  /** Whom an id or a user name means; an id goes before a name. */
  meant(person: string): Promise<Person | undefined>
  /** Everybody, newest first. */
  list(page: PageRequest): Promise<Page<Person>>
  /** Whether there is any account. */
  any(): Promise<boolean>
  /** Whether an administrator other than this one may sign in. */
  otherAdministrator(userId: string): Promise<boolean>
  change(userId: string, change: PersonChange): Promise<void>
}

export function peopleFacts(database: Kysely<BusinessSchema>): PeopleFacts {
  return {
    insert: (person) => insertPerson(database, person),
    find: (userId) => personWithId(database, userId),
    named: (username) => personNamed(database, username),
    meant: async (person) => (await personWithId(database, person)) ?? personNamed(database, person),
    list: (page) => listPeople(database, page),
    any: async () => (await database.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined,
    otherAdministrator: (userId) => otherAdministrator(database, userId),
    change: (userId, change) => changePerson(database, userId, change)
  }
}

/** What the database gives for a person, in a shape of its own and in those that join it. */
export type PersonRow = Selectable<BusinessSchema['user']>

export function personOf(row: Omit<PersonRow, 'sequence'>): Person {
  return {
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash,
    role: row.role,
    createdAt: row.created_at,
    disabledAt: row.disabled_at
  }
}

function toPerson(row: PersonRow | undefined): Person | undefined {
  return row === undefined ? undefined : personOf(row)
}

function people(database: Kysely<BusinessSchema>) {
  return database.selectFrom('user').selectAll()
}

async function insertPerson(database: Kysely<BusinessSchema>, person: Person): Promise<void> {
  await database
    .insertInto('user')
    .values({
      id: person.id,
      sequence: nextSequence('user'),
      username: person.username,
      password_hash: person.passwordHash,
      role: person.role,
      created_at: person.createdAt,
      disabled_at: person.disabledAt
    })
    .execute()
}

async function personWithId(database: Kysely<BusinessSchema>, userId: string): Promise<Person | undefined> {
  return toPerson(await people(database).where('id', '=', userId).executeTakeFirst())
}

/** SQLite folds the case of ASCII letters only; names with others are compared here, and there are few of them. */
async function personNamed(database: Kysely<BusinessSchema>, username: string): Promise<Person | undefined> {
  const same = await people(database).where('username', '=', username).executeTakeFirst()
  if (same !== undefined || /^[ -~]*$/.test(username)) return toPerson(same)
  const folded = username.toLowerCase()
  const names = await database.selectFrom('user').select(['id', 'username']).execute()
  const match = names.find((each) => each.username.toLowerCase() === folded)
  if (match === undefined) return undefined
  return toPerson(await people(database).where('id', '=', match.id).executeTakeFirst())
}

async function listPeople(database: Kysely<BusinessSchema>, page: PageRequest): Promise<Page<Person>> {
  const rows = await people(database)
    .where('sequence', '<', pageStart(page))
    .orderBy('sequence', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { total } = await database
    .selectFrom('user')
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return pageOfRows(rows, page, total, personOf)
}

async function otherAdministrator(database: Kysely<BusinessSchema>, userId: string): Promise<boolean> {
  const row = await database
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .where('id', '!=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function changePerson(database: Kysely<BusinessSchema>, userId: string, change: PersonChange): Promise<void> {
  const columns = {
    ...(change.role === undefined ? {} : { role: change.role }),
    ...(change.passwordHash === undefined ? {} : { password_hash: change.passwordHash }),
    ...(change.disabledAt === undefined ? {} : { disabled_at: change.disabledAt })
  }
  if (Object.keys(columns).length === 0) return
  await database.updateTable('user').set(columns).where('id', '=', userId).execute()
}
