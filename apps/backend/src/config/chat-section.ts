import type { z } from 'zod'
import { decimal, optionalText, wholeNumber } from './setting.ts'

const HOUR_MS = 3_600_000
/** A base64 key of 32 bytes. */
const sealingKey = /^[A-Za-z0-9+/]{43}=$/

/** The chat model, and how far one answer may go. */
export function chatSettings(address: RegExp) {
  return {
    baseUrl: optionalText('an http or https address', address).default(''),
    model: optionalText('the name of a model').default(''),
    apiKey: optionalText('a key').default(''),
    temperature: decimal(0, 2).default(0.2),
    contextTokens: wholeNumber(4_096, 10_000_000).default(32_768),
    maxOutputTokens: wholeNumber(256, 1_000_000).default(4_096),
    /** Without a token for so long the model counts as gone. */
    timeoutMs: wholeNumber(1, HOUR_MS).default(60_000),
    retries: wholeNumber(0, 10).default(2),
    deadlineMs: wholeNumber(1_000, HOUR_MS).default(300_000),
    maxSteps: wholeNumber(1, 100).default(12),
    approvalMs: wholeNumber(1_000, HOUR_MS).default(300_000),
    streams: wholeNumber(1, 10_000).default(256)
  }
}

/** An address without a model, or the other way round, would look configured and never answer. */
export function chatAgrees(values: { readonly baseUrl: string; readonly model: string }, check: z.RefinementCtx): void {
  if ((values.baseUrl === '') === (values.model === '')) return
  const missing = values.baseUrl === '' ? 'baseUrl' : 'model'
  const message = 'a value, because the other of address and model has one'
  check.addIssue({ code: 'custom', path: [missing], message })
}

/** Where alerts and measurements are read. */
export function alertSettings(address: RegExp) {
  return {
    prometheusUrl: optionalText('an http or https address', address).default(''),
    prometheusAccessToken: optionalText('a token').default(''),
    alertmanagerUrl: optionalText('an http or https address', address).default(''),
    alertmanagerAccessToken: optionalText('a token').default(''),
    timeoutMs: wholeNumber(1, HOUR_MS).default(15_000)
  }
}

/** Tool servers: what seals their secrets, and how many there may be. */
export function mcpSettings() {
  return {
    secretKey: optionalText('32 bytes in base64', sealingKey).default(''),
    keyFile: optionalText('the path of a file').default(''),
    connectTimeoutMs: wholeNumber(1, HOUR_MS).default(15_000),
    maxServers: wholeNumber(0, 1_000).default(20)
  }
}
