import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Refusal, refuse } from '../connect/refusal.ts'

/** Writes every file, or, if one of them is there already, none. */
export const writeApp = (directory: string, files: Readonly<Record<string, string>>): Refusal | undefined => {
  const present = Object.keys(files).filter(file => existsSync(join(directory, file)))
  if (present.length > 0) {
    return refuse(
      `Nothing was written, since ${directory} has ${present.join(', ')} already: choose another directory, npx hooklatch init DIR.`,
    )
  }
  try {
    mkdirSync(directory, { recursive: true })
    // `wx`: what somebody else has just written stays.
    for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text, { flag: 'wx' })
  } catch (error) {
    return refuse(`The app cannot be written: ${(error as Error).message}.`)
  }
  return undefined
}
