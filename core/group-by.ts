/** Elements by a key, in the order in which each key comes first: Map.groupBy, which Node 20 does not have. */
export function groupBy<T, K>(elements: Iterable<T>, keyOf: (element: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const element of elements) {
    const key = keyOf(element, index++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return groups;
}
