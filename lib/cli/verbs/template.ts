import { relative, resolve } from 'node:path'
import { appSettings } from '../../app/app-settings.ts'
import { isRefusal, refuse } from '../../connect/refusal.ts'
import { makeTemplate } from '../../template/make-template.ts'
import { verb } from '../verb.ts'

export const template = verb({
  summary: 'Write the stack as a plain CloudFormation template with its code, for teams that do not deploy with CDK.',
  operands: [],
  flags: {
    out: { value: 'DIR', help: 'Where to write it: an empty directory, or what this command wrote before.' },
    app: { value: 'COMMAND', help: 'What makes the stack (default: the one in cdk.json).' },
    stack: { value: 'NAME', help: 'Which stack, if the app has several receivers.' },
  },
  teaches: [
    'Run it in an app that `npx hooklatch init` made. The directory then has template.json, a zip file for each function and a README for',
    'the AWS command line and Terraform. No `cdk bootstrap` is needed: the zip files go into a bucket of your own.',
    '',
    '  npx hooklatch template --out cloudformation',
  ].join('\n'),
  async run({ flags }, terminal) {
    if (flags.out === undefined) return refuse('Where to? npx hooklatch template --out DIR', 2)
    const directory = process.cwd()
    const settings = appSettings(directory, flags.app)
    if (isRefusal(settings)) return settings
    if (settings === undefined) {
      return refuse(
        'This directory has no app: no cdk.json that names one, and no --app. `npx hooklatch init` makes one.',
      )
    }
    terminal.err(terminal.style('dim', `Making the stack: ${settings.app}`))
    const out = resolve(flags.out)
    const made = await makeTemplate(settings, flags.stack, out)
    if (isRefusal(made)) return made
    for (const note of made.notes) terminal.err(`Note: ${note}`)
    terminal.out(
      `Wrote ${made.files.length} files of ${made.stack} to ${relative('.', out) || '.'}: ${made.files.join(', ')}.`,
    )
    terminal.out('README.md there says how to deploy them.')
    return 0
  },
})
