/** The access key id of a SigV4 `Authorization` header. Nobody checks the signature on a laptop: who says to be alice is alice. */
export const accessKeyOf = (authorization: string | undefined): string | undefined =>
  CREDENTIAL.exec(authorization ?? '')?.[1]

const CREDENTIAL =
  /^AWS4-HMAC-SHA256 (?:.*[ ,])?Credential=([^/\s,]{1,128})\/\d{8}\/[^/]+\/[^/]+\/aws4_request(?:$|[ ,])/
