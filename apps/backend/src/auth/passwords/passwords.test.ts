import { describe, expect, it } from 'vitest'
import { CHEAP } from '../test-material/auth-bench.ts'
import { PASSWORD_COST } from './argon2id.ts'
import { createPasswords } from './passwords.ts'
import { formatPhc, parsePhc } from './phc-string.ts'

/** Of the reference implementation's own tests (phc-winner-argon2, src/test.c), for "password". */
const REFERENCE = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'

describe('a stored password', () => {
  it('is a PHC string at the cost that OWASP names, with a salt of its own', async () => {
    const passwords = createPasswords()
    const stored = await passwords.hash('correct horse')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await passwords.hash('correct horse')).not.toBe(stored)
    expect(await passwords.check('correct horse', stored)).toEqual({ right: true, outdated: false })
    expect(await passwords.check('correct horsf', stored)).toEqual({ right: false, outdated: false })
  })

  it('that another implementation has hashed is recognised, and told to be of another cost', async () => {
    const passwords = createPasswords(CHEAP)
    expect(await passwords.check('password', REFERENCE)).toEqual({ right: true, outdated: true })
    expect(await passwords.check('Password', REFERENCE)).toEqual({ right: false, outdated: false })
  })

  it.each([
    ['memory', { ...CHEAP, memoryKib: 72 }],
    ['passes', { ...CHEAP, passes: 2 }],
    ['lanes', { ...CHEAP, lanes: 2 }]
  ])('is outdated as soon as the %s of new ones differ', async (_what, cost) => {
    const stored = await createPasswords(CHEAP).hash('correct horse')
    expect(await createPasswords(cost).check('correct horse', stored)).toEqual({ right: true, outdated: true })
  })

  it('is the same in both forms that keyboards give an accented letter, and is else taken to the letter', async () => {
    const passwords = createPasswords(CHEAP)
    const stored = await passwords.hash('caf\u00e9 密码 longer')
    expect((await passwords.check('cafe\u0301 密码 longer', stored)).right).toBe(true)
    expect((await passwords.check('cafe 密码 longer', stored)).right).toBe(false)
    expect((await passwords.check('caf\u00e9 密码 longer ', stored)).right).toBe(false)
  })

  it('is right for nobody who does not exist', async () => {
    expect(await createPasswords(CHEAP).check('', undefined)).toEqual({ right: false, outdated: false })
  })

  it('takes as long to be refused for somebody who does not exist', async () => {
    const passwords = createPasswords()
    const stored = await passwords.hash('correct horse')
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 7; round += 1) {
      known.push(await duration(() => passwords.check('wrong', stored)))
      unknown.push(await duration(() => passwords.check('wrong', undefined)))
    }
    // The quickest of each: what else runs on the machine only adds. Without the work it would be a thousandth.
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  it.each(['', 'plain', REFERENCE.replace('argon2id', 'argon2i'), REFERENCE.replace('v=19', 'v=16'), `${REFERENCE}=`])(
    'that is %j says that the facts are damaged, without repeating it',
    async (stored) => {
      const refused = createPasswords(CHEAP).check('password', stored)
      await expect(refused).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
      await expect(refused).rejects.not.toThrow('argon2')
    }
  )

  it('is read as it was written', () => {
    const hashed = { cost: PASSWORD_COST, salt: Buffer.alloc(16, 250), tag: Buffer.alloc(32, 7) }
    expect(parsePhc(formatPhc(hashed))).toEqual(hashed)
  })
})

async function duration(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
