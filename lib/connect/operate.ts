import type { Operator } from '../operator/operator.ts'
import { connect } from './connect.ts'
import type { Target } from './connection.ts'
import { operatorOf } from './operator-of.ts'
import { isRefusal, type Refusal } from './refusal.ts'

/** The operator at the deployment that the flags name. */
export const operate = async (target: Target): Promise<Operator | Refusal> => {
  const connection = await connect(target)
  return isRefusal(connection) ? connection : operatorOf(connection)
}
