import type { Provider } from '../domain/provider.ts'
import { commerceRows } from './rows/commerce.ts'
import { communicationRows } from './rows/communication.ts'
import { developmentRows } from './rows/development.ts'
import { standardRows } from './rows/standard.ts'

/** Every provider by its id. `custom` is not here: its row is built from the source's config, see custom.ts. */
export const providers: Readonly<Record<string, Provider>> = {
  ...commerceRows,
  ...communicationRows,
  ...developmentRows,
  ...standardRows,
}
