import { StringDecoder } from 'node:string_decoder'
import { escapedForeign } from './escape.ts'

/**
 * A worker runs in our process and prints what it likes, often a part of the event: on a terminal that goes through the same gate.
 * A program that reads a pipe gets it as it is.
 */
export const guardOutput = (
  streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr],
): (() => void) => {
  const undo = streams.filter(stream => stream.isTTY).map(guard)
  return () => {
    for (const each of undo) each()
  }
}

const guard = (stream: NodeJS.WriteStream): (() => void) => {
  const { write } = stream
  const decoder = new StringDecoder('utf8')
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))
    return Reflect.apply(write, stream, [escapedForeign(text), ...rest.filter(each => typeof each === 'function')])
  }
  return () => {
    stream.write = write
  }
}
