/** What `filter[column][…]` may name, in a search and in a web hook's definition. */
export const OPERATOR_NAMES: readonly string[] = [
  ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'in', 'nin', 'contains', 'starts', 'ends', 'null', 'has'],
];
