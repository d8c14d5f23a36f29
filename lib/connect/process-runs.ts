/** Signal 0 asks without disturbing; EPERM means that it runs, as somebody else. */
export const processRuns = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
