import type { ChildRelation } from '../../../plan/call/batch.ts';

/** One child in a body. */
export interface Child {
  readonly relation: ChildRelation;
  /** In its list. */
  readonly index: number;
  /** Undefined for a child to create. */
  readonly id: number | undefined;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The children that a body brings, for the limit of requests. */
export const countChildren = (relations: readonly ChildRelation[], body: Readonly<Record<string, unknown>>): number =>
  relations.reduce((sum, { name }) => {
    const list = Object.hasOwn(body, name) ? body[name] : undefined;
    return sum + (Array.isArray(list) ? list.length : 0);
  }, 0);
