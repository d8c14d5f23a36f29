import { describe, expect, it } from 'vitest'
import { workLine } from '../../../functions/consume/work-line.ts'
import { readLine } from '../../../lib/operator/read-line.ts'

/** As the version before wrote them, with every field. */
const BEFORE = {
  delivery:
    '{"_aws":{"Timestamp":1794995661030,"CloudWatchMetrics":[{"Namespace":"Hooklatch","Dimensions":[["Environment","Source"]],"Metrics":[{"Name":"Accepted"}]}]},"Environment":"production","Source":"stripe","Received":1,"Accepted":1,"Latency":11,"outcome":"accepted","status":202,"id":"0ff4","eventId":"evt_1","correlationId":"JKJaXmPLvHcESHA=","waits":{"events":8,"queue":3}}\n',
  work: '{"_aws":{"Timestamp":1794995661162},"Environment":"production","Source":"stripe","Done":1,"work":"done","id":"0ff4","eventId":"evt_1","type":"invoice.paid","generation":0,"correlationId":"JKJaXmPLvHcESHA=","messageId":"94edc9b8","receiveCount":1,"sentAt":1794995661000,"milliseconds":128}\n',
}

/** The same as today's functions write them. */
const NOW = {
  delivery:
    '{"_aws":{"Timestamp":1794995661030},"Environment":"production","Source":"stripe","Accepted":1,"Latency":11,"outcome":"accepted","status":202,"id":"0ff4","eventId":"evt_1","correlationId":"JKJaXmPLvHcESHA="}\n',
  work: '{"_aws":{"Timestamp":1794995661162},"Source":"stripe","Done":1,"work":"done","id":"0ff4","eventId":"evt_1","type":"invoice.paid","correlationId":"JKJaXmPLvHcESHA=","waited":34,"milliseconds":128}\n',
}

describe('a line of the functions', () => {
  it.each(['delivery', 'work'] as const)(
    'the %s line of the version before, which said more, reads like that of today',
    kind => {
      expect(readLine(NOW[kind])).toMatchObject({ kind, at: expect.any(Number) })
      expect(readLine(NOW[kind])).toEqual(readLine(BEFORE[kind]))
    },
  )

  it('a line of an event that is done is read as its first generation, received once, and sent when it was', () => {
    expect(readLine(NOW.work)).toMatchObject({ generation: 0, receiveCount: 1, sentAt: 1_794_995_661_000 })
  })

  it('a line of a message that could not be read has no generation', () => {
    const line = workLine({
      environment: 'production',
      text: 'hello',
      messageId: 'm-1',
      receiveCount: 3,
      sentAt: Number.NaN,
      ended: { work: 'malformed', why: 'not a JSON object' },
      startedAt: 1_000,
      finishedAt: 1_250,
    })
    expect(readLine(line)).toMatchObject({ id: null, generation: null, receiveCount: 3, sentAt: null })
  })
})
