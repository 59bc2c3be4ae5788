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

type Body = Readonly<Record<string, unknown>>;

/** The relations of which a body brings children. */
export const listSentRelations = (relations: readonly ChildRelation[], body: Body): readonly ChildRelation[] =>
  relations.filter(({ name }) => Object.hasOwn(body, name));

/** The children that a body brings, for the limit of requests. */
export const countChildren = (relations: readonly ChildRelation[], body: Body): number =>
  listSentRelations(relations, body).reduce((sum, { name }) => {
    const list = body[name];
    return sum + (Array.isArray(list) ? list.length : 0);
  }, 0);
