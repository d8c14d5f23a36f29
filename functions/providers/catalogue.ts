import type { Provider } from '../domain/provider.ts'
import { billingRows } from './rows/billing.ts'
import { cloudRows } from './rows/cloud.ts'
import { commerceRows } from './rows/commerce.ts'
import { communicationRows } from './rows/communication.ts'
import { contentRows } from './rows/content.ts'
import { developmentRows } from './rows/development.ts'
import { emailRows } from './rows/email.ts'
import { financeRows } from './rows/finance.ts'
import { identityRows } from './rows/identity.ts'
import { paymentsRows } from './rows/payments.ts'
import { socialRows } from './rows/social.ts'
import { standardRows } from './rows/standard.ts'
import { workRows } from './rows/work.ts'

/** Every provider by its id. `custom` is not here: its row is built from the source's config, see custom.ts. */
export const providers: Readonly<Record<string, Provider>> = {
  ...billingRows,
  ...cloudRows,
  ...commerceRows,
  ...communicationRows,
  ...contentRows,
  ...developmentRows,
  ...emailRows,
  ...financeRows,
  ...identityRows,
  ...paymentsRows,
  ...socialRows,
  ...standardRows,
  ...workRows,
}
