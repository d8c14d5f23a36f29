import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { providers } from '../functions/providers/catalogue.ts'
import { listsPart } from '../lib/catalogue/lists-part.ts'
import { providersPage } from '../lib/catalogue/providers-page.ts'
import { EXAMPLE, EXAMPLE_DIRECTORY } from '../lib/docs/example.ts'
import { withGenerated } from '../lib/docs/generated.ts'
import { protocolPart } from '../lib/docs/protocol-part.ts'
import { appFiles } from '../lib/init/app-files.ts'

const page = (name: string): string => join(import.meta.dirname, '../docs', name)

writeFileSync(page('providers.md'), providersPage(providers))
const architecture = readFileSync(page('architecture.md'), 'utf8')
for (const [file, text] of Object.entries(appFiles(EXAMPLE))) writeFileSync(join(EXAMPLE_DIRECTORY, file), text)
writeFileSync(page('architecture.md'), withGenerated(architecture, 'the protocol', protocolPart()))
const reconcile = readFileSync(page('reconcile.md'), 'utf8')
writeFileSync(page('reconcile.md'), withGenerated(reconcile, 'the lists', listsPart(providers)))
