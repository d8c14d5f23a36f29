import type { memoryAws } from '../../lib/memory-aws/memory-aws.ts'

/** As an operator in the console of Secrets Manager would. */
export const setSecret = (secrets: ReturnType<typeof memoryAws>['secrets'], id: string, text: string): void => {
  const seen = secrets.getSecret(id)?.version ?? ''
  secrets.makeSecretCurrent(id, secrets.putPendingSecret(id, text), seen)
}
