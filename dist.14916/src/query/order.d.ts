import type { Order } from './cursor.ts';
import { type Draft } from './draft.ts';
type Input = Readonly<Record<string, unknown>>;
/** Parses `-column,column`, a list of those, or an object of column to `ASC` or `DESC`. */
export declare function listSorts(raw: unknown): [string, unknown][];
/** Parses `sort` (or the older `order`); the primary key is always added last. */
export declare function parseOrder(input: Input, draft: Draft): Order[];
export {};
