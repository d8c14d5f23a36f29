export type Environment = Readonly<Record<string, string | undefined>>

export const regionIn = (env: Environment): string => {
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION
  if (!region) throw new Error('AWS_REGION is not set: Lambda sets it')
  return region
}
