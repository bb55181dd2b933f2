import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asKyselyDatabase, openConnection } from './sqlite-connection.ts'

let directory: string
let connection: DatabaseSync
let prepared: string[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-statements-'))
  connection = openConnection(join(directory, 'facts.db'), 100, 'NORMAL')
  connection.exec('CREATE TABLE fact (id INTEGER PRIMARY KEY, name TEXT)')
  prepared = []
  const prepare = connection.prepare.bind(connection)
  connection.prepare = (sql, ...rest) => {
    prepared.push(sql)
    return prepare(sql, ...rest)
  }
})
afterEach(() => {
  if (connection.isOpen) connection.close()
  rmSync(directory, { recursive: true })
})

const ask = (database: ReturnType<typeof asKyselyDatabase>, sql: string, ...given: readonly unknown[]): unknown =>
  database.prepare(sql).all(given)

describe('statements of the facts', () => {
  it('are made once for a text, and take other values each time', () => {
    const database = asKyselyDatabase(connection)
    for (const name of ['a', 'b', 'c']) database.prepare('insert into fact (name) values (?)').run([name])
    expect(ask(database, 'select name from fact where id = ?', 2)).toEqual([{ name: 'b' }])
    expect(ask(database, 'select name from fact where id = ?', 3)).toEqual([{ name: 'c' }])
    expect(prepared).toHaveLength(2)
  })

  it('are bounded in number, and the ones in use stay', () => {
    const database = asKyselyDatabase(connection)
    for (let at = 0; at < 500; at++) {
      ask(database, `select ${at} as number`)
      ask(database, 'select 1 as often')
    }
    expect(prepared.filter((sql) => sql === 'select 1 as often')).toHaveLength(1)
    ask(database, 'select 0 as number')
    expect(prepared.filter((sql) => sql === 'select 0 as number')).toHaveLength(2)
  })

  it('see a table that was changed after they were made', () => {
    const database = asKyselyDatabase(connection)
    expect(ask(database, 'select * from fact')).toEqual([])
    connection.exec(`ALTER TABLE fact ADD COLUMN more TEXT DEFAULT 'm'`)
    database.prepare('insert into fact (name) values (?)').run(['a'])
    expect(ask(database, 'select * from fact')).toEqual([{ id: 1, name: 'a', more: 'm' }])
  })

  it('fail, and work again', () => {
    const database = asKyselyDatabase(connection)
    const insert = 'insert into fact (id, name) values (?, ?)'
    database.prepare(insert).run([1, 'a'])
    expect(() => database.prepare(insert).run([1, 'b'])).toThrow(/UNIQUE/)
    database.prepare(insert).run([2, 'b'])
    expect(ask(database, 'select count(*) as count from fact')).toEqual([{ count: 2 }])
  })

  it('that are read bit by bit do not disturb each other', () => {
    const database = asKyselyDatabase(connection)
    for (const name of ['a', 'b']) database.prepare('insert into fact (name) values (?)').run([name])
    const all = 'select name from fact order by id'
    const seen = [...database.prepare(all).iterate([])].map((row) => [row, ask(database, all)])
    expect(seen).toHaveLength(2)
    const [one, other] = [database.prepare(all).iterate([]), database.prepare(all).iterate([])]
    expect([one.next().value, other.next().value, one.next().value]).toEqual([
      { name: 'a' },
      { name: 'a' },
      { name: 'b' }
    ])
  })
})
