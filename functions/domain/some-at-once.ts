/** Acts on every item, so many at once, and answers in their order. */
export const someAtOnce = async <Item, Result>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += atOnce) {
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map((item, index) => act(item, at + index)))))
  }
  return results
}
