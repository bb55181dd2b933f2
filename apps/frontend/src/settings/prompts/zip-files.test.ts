import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { zipFiles } from './zip-files.ts'

const files = [
  { fileName: 'disk-full.md', content: '# 磁盘写满\n' },
  { fileName: 'answer.md', content: 'x'.repeat(70_000) }
]

test('every file is found through the directory at the end, whole and with its checksum', async () => {
  const bytes = Buffer.from(await zipFiles(files).arrayBuffer())
  const end = bytes.length - 22
  expect(bytes.readUInt32LE(end)).toBe(0x0605_4b50)
  expect([bytes.readUInt16LE(end + 8), bytes.readUInt16LE(end + 10)]).toEqual([2, 2])
  expect(bytes.readUInt32LE(end + 16) + bytes.readUInt32LE(end + 12)).toBe(end)
  let at = bytes.readUInt32LE(end + 16)
  for (const { fileName, content } of files) {
    expect(bytes.readUInt32LE(at)).toBe(0x0201_4b50)
    const [crc, packed, size, nameLength] = [
      bytes.readUInt32LE(at + 16),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28)
    ]
    const local = bytes.readUInt32LE(at + 42)
    expect(bytes.toString('utf8', at + 46, at + 46 + nameLength)).toBe(fileName)
    expect(bytes.readUInt32LE(local)).toBe(0x0403_4b50)
    const body = bytes.subarray(local + 30 + nameLength, local + 30 + nameLength + size)
    expect([body.toString('utf8'), packed, crc]).toEqual([content, size, crc32(body)])
    at += 46 + nameLength
  }
  expect(at).toBe(end)
})

test('the same files are the same bytes, and none are an archive too', async () => {
  const [first, second] = await Promise.all([zipFiles(files).arrayBuffer(), zipFiles(files).arrayBuffer()])
  expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true)
  expect(zipFiles([]).size).toBe(22)
})
