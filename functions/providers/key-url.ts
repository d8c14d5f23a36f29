/** Where keys may be downloaded from at all: https, by a plain host name, on its own port, and nothing to log in with. */
export const isKeyUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, port, hostname, hash } = new URL(text)
  return (
    protocol === 'https:' &&
    [username, password, port, hash].every(part => part === '') &&
    /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/.test(hostname)
  )
}
