/** A copy of an object without some of its keys. */
export const omit = (
  value: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
