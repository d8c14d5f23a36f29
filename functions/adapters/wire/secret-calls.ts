/** What our secrets ask of Secrets Manager. Two clients answer: the SDK (sdk/) and our own (lean/). */
export interface SecretCalls {
  getSecretString(id: string): Promise<string | undefined>
  putSecretString(id: string, text: string): Promise<void>
}
