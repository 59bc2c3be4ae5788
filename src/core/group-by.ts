/** Items in groups by a key, each group in the order of the items. */
export function groupBy<T, K>(items: Iterable<T>, find: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = find(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
