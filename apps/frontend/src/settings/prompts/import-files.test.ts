import { describe, expect, test } from 'vitest'
import { faultsByFile, readChosen } from './import-files.ts'

const faultOf = async (...files: File[]): Promise<unknown[]> => (await readChosen(files)).map(({ fault }) => fault)

describe('files that are chosen', () => {
  test('are read as they are', async () => {
    expect(await readChosen([new File(['---\n磁盘'], 'a.MD')])).toEqual([
      { fileName: 'a.MD', content: '---\n磁盘', fault: null }
    ])
  })

  test('say what is wrong with them before they are sent', async () => {
    const faults = await faultOf(
      new File(['text'], 'a.txt'),
      new File([new Uint8Array([0xc4, 0xe3])], 'gbk.md'),
      new File([' \n'], 'empty.md'),
      new File(['x'.repeat(128_001)], 'long.md'),
      new File(['x'.repeat(600_000)], 'longer.md'),
      new File(['one'], 'same.md'),
      new File(['two'], 'same.md')
    )
    expect(faults).toEqual(['notMarkdown', 'notUtf8', 'empty', 'tooLong', 'tooLong', null, 'twice'])
  })

  test('one that went away meanwhile is told as that', async () => {
    const gone = new File(['text'], 'gone.md')
    gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
    expect(await faultOf(gone)).toEqual(['unreadable'])
  })
})

test('what the server says is put beside the file that it is about, by name or by place', () => {
  const files = ['a.md', 'b.md'].map((fileName) => ({ fileName, content: 'x', fault: null }))
  const details = {
    issues: [
      { field: 'a.md', problem: 'must begin with front matter' },
      { field: 'files.1.content', problem: 'is too long' },
      { field: 'b.md: name', problem: 'must be words' },
      { field: 'elsewhere', problem: 'no' },
      'nonsense'
    ]
  }
  const faults = faultsByFile({ code: 'VALIDATION_FAILED', message: '', requestId: '', details }, files)
  expect([...faults]).toEqual([
    ['a.md', ['must begin with front matter']],
    ['b.md', ['content: is too long', 'name: must be words']]
  ])
})
