import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { providers } from '../functions/providers/catalogue.ts'
import { providersPage } from '../lib/catalogue/providers-page.ts'

writeFileSync(join(import.meta.dirname, '../docs/providers.md'), providersPage(providers))
