/** Operators in `filter[column][…]`, for searches and for web hook definitions. */
export declare const OPERATOR_NAMES: readonly string[];
