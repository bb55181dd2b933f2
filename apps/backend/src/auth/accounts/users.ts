import { randomUUID } from 'node:crypto'
import { AppError, type NewUser, type Page, type User, type UserChange } from '@oncall-agent/api-contracts'
import type { BusinessStore, BusinessTables, PageRequest, Person, PersonChange } from '../../store/index.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { oneSpelling } from './one-spelling.ts'
import { toUser } from './to-user.ts'

/** Everybody's accounts. Asks no caller whether they may. */
export interface Users {
  /** Everybody, newest first. */
  list(page: PageRequest): Promise<Page<User>>
  /**
   * @throws AppError CONFLICT when the name is taken, in upper or lower case, or when the very first would be no
   * administrator
   */
  create(user: NewUser): Promise<User>
  /**
   * A new role, a new password and disabling end the person's sessions.
   * @throws AppError NOT_FOUND; CONFLICT when no administrator would be left who may sign in
   */
  change(userId: string, change: UserChange): Promise<User>
}

export interface UserParts {
  readonly store: BusinessStore
  readonly passwords: Passwords
  readonly clock: () => number
}

export function createUsers({ store, passwords, clock }: UserParts): Users {
  return {
    list: async (page) => {
      const people = await store.people.list(page)
      return { ...people, items: people.items.map(toUser) }
    },
    create: async ({ username, password, role }) => {
      const passwordHash = await passwords.hash(password)
      const name = oneSpelling(username)
      const person = { id: randomUUID(), username: name, passwordHash, role, createdAt: clock(), disabledAt: null }
      await store.transaction((tables) => insertPerson(tables, person))
      return toUser(person)
    },
    change: async (userId, { role, disabled, password }) => {
      const passwordHash = password === undefined ? undefined : await passwords.hash(password)
      return store.transaction(async (tables) => {
        const person = await tables.people.find(userId)
        if (person === undefined) throw new AppError('NOT_FOUND', { operation: 'change user', subject: userId })
        const change: PersonChange = {
          ...(role === undefined ? {} : { role }),
          ...(passwordHash === undefined ? {} : { passwordHash }),
          ...(disabled === undefined ? {} : { disabledAt: disabled ? (person.disabledAt ?? clock()) : null })
        }
        return toUser(await changePerson(tables, person, change))
      })
    }
  }
}

async function insertPerson(tables: BusinessTables, person: Person): Promise<void> {
  if (await tables.people.named(person.username)) {
    throw new AppError('CONFLICT', {
      operation: 'add user',
      subject: person.id,
      message: `There is somebody named ${person.username} already.`
    })
  }
  // Nobody could add an administrator later: the way to the first account is closed by any account.
  if (person.role !== 'admin' && !(await tables.people.any())) {
    throw new AppError('CONFLICT', {
      operation: 'add user',
      subject: person.id,
      message: 'The first account must be an administrator.'
    })
  }
  await tables.people.insert(person)
}

async function changePerson(tables: BusinessTables, person: Person, change: PersonChange): Promise<Person> {
  const changed = { ...person, ...change }
  if (administers(person) && !administers(changed) && !(await tables.people.otherAdministrator(person.id))) {
    throw new AppError('CONFLICT', {
      operation: 'change user',
      subject: person.id,
      message: 'This is the last administrator who may sign in, and can not be disabled or lose the role.',
      hint: 'Make somebody else an administrator first.'
    })
  }
  await tables.people.change(person.id, change)
  const isOtherwise = changed.role !== person.role || changed.passwordHash !== person.passwordHash
  if (isOtherwise || changed.disabledAt !== null) await tables.sessions.endAllOf(person.id)
  return changed
}

function administers({ role, disabledAt }: Person): boolean {
  return role === 'admin' && disabledAt === null
}
