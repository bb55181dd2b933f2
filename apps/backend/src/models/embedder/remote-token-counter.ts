/** Where the process that cuts documents finds the count that `createOpenAiEmbedder` keeps to. */
export const remoteTokenCounter = {
  moduleUrl: new URL('./estimate-tokens.ts', import.meta.url).href,
  exportName: 'createTokenEstimate'
}
