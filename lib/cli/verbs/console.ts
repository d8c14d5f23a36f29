import { connect } from '../../connect/connect.ts'
import { isRefusal } from '../../connect/refusal.ts'
import { openConsole } from '../../console/open-console.ts'
import { endSignal } from '../../terminal/end-signal.ts'
import { readNumber } from '../flags.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const console = verb({
  summary: 'Open the console: a local page with events, dead letters and charts.',
  operands: [],
  flags: {
    'console-port': { value: 'PORT', help: 'Where to listen on 127.0.0.1 (default any free one).' },
    ...TARGET_FLAGS,
  },
  teaches: [
    'Serves a page to this machine only and prints its URL with the token of this run; without the token it answers',
    'nothing. It reads and acts with your own credentials: nothing is deployed for it. Ctrl-C ends it.',
    '`npm start` has its own console already, and prints its URL.',
    '',
    '  npx hooklatch console',
    '  npx hooklatch console --stack Hooklatch --console-port 4100',
  ].join('\n'),
  async run({ flags }, terminal) {
    const port = readNumber(flags['console-port'], 'console-port', { min: 0, max: 65_535, otherwise: 0 })
    if (isRefusal(port)) return port
    const connection = await connect(flags)
    if (isRefusal(connection)) return connection
    const opened = await openConsole(connection, { port, warn: terminal.err })
    if (isRefusal(opened)) return opened
    const signal = endSignal()
    terminal.out(`The console of ${connection.name}: ${terminal.style('cyan', opened.url)}`)
    terminal.out(
      terminal.style('dim', 'The URL contains a token: anyone who has it can see and replay events. Ctrl-C ends it.'),
    )
    await signal.asked
    signal.ignore()
    await opened.close()
    return 0
  },
})
