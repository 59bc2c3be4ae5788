import type { ReadCost } from '../database/read-cost.ts';
import type { Search } from './search.ts';
/**
 * Key for a search's measured cost, in addition to its statement: a prefix of one letter finds far more rows than
 * one of four, and rows skipped by `offset` are read too.
 */
export declare function toReadCost({ words, offset }: Search): ReadCost;
