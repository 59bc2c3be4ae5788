/** Sorts a short list in place, stably: `Array.sort` allocates each time what it needs for long lists. */
export function sortFew<T>(list: T[], compare: (a: T, b: T) => number): void {
  for (let end = 1; end < list.length; end += 1) {
    const item = list[end] as T;
    let place = end;
    for (; place > 0 && compare(list[place - 1] as T, item) > 0; place -= 1) list[place] = list[place - 1] as T;
    list[place] = item;
  }
}
