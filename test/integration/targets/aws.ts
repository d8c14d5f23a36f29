export const aws = async () => {
  throw new Error('later')
}
