/** Operators in `filter[column][…]`, for searches and for web hook definitions. */
export const OPERATOR_NAMES: readonly string[] = [
  ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'in', 'nin', 'contains', 'starts', 'ends', 'null', 'has'],
];
