import type { SchemaModel, TreeModel } from '../../../model/model.ts';

/** What `expand` adds of a tree: the rows above a row, or those below it to a depth. */
export interface Branch {
  readonly tree: TreeModel;
  readonly direction: 'above' | 'below';
  /** Levels of `below`. */
  readonly depth: number;
  /** Its name in a row. */
  readonly key: string;
}

/** Most levels that `expand` adds. */
const MOST_LEVELS = 10;
const NAME = /^(?:([^.]+)\.)?(above|below)(?::(.*))?$/;

/** The names that `expand` takes for the trees of a schema. */
export function listBranchNames({ trees, relations }: SchemaModel): string[] {
  const isFree = (name: string): boolean => !relations.some((relation) => relation.name === name);
  const names = trees.length === 1 ? ['above', 'below'].filter(isFree) : [];
  return [...names, ...trees.flatMap(({ name }) => [`${name}.above`, `${name}.below`])];
}

/**
 * Reads a name in `expand` as a part of a tree: `above`, `below:3`, and with the relation if a schema has several trees
 * (`parent.below:3`). Undefined if it is no such name. A relation of that name comes first.
 */
export function parseBranch(name: string, schema: SchemaModel): Branch | { readonly error: string } | undefined {
  if (schema.trees.length === 0) return undefined;
  const [, relation, direction, levels] = NAME.exec(name) ?? [];
  if ((direction !== 'above' && direction !== 'below') || schema.relations.some((own) => own.name === name))
    return undefined;
  const shown = name.slice(0, 64);
  const names = schema.trees.map((tree) => `${tree.name}.${direction}`);
  if (relation === undefined && schema.trees.length > 1)
    return { error: `"${shown}" may be of several trees of ${schema.name}. Name one: ${names.join(', ')}.` };
  const tree = relation === undefined ? schema.trees[0] : schema.trees.find((own) => own.name === relation);
  if (tree === undefined)
    return { error: `"${shown}" is of no tree of ${schema.name}, which has ${names.join(', ')}.` };
  const depth = levels === undefined ? 1 : Number(levels);
  if (direction === 'above' && levels !== undefined)
    return { error: `"${shown}" takes no number: "above" is every row up to the root.` };
  if (!Number.isInteger(depth) || depth < 1 || depth > MOST_LEVELS || !/^\d+$/.test(levels ?? '1'))
    return { error: `"${shown}" must have a whole number of levels from 1 to ${MOST_LEVELS}.` };
  return { tree, direction, depth, key: relation === undefined ? direction : `${tree.name}_${direction}` };
}

/** True if a parsed name is a part of a tree. */
export const isBranch = (parsed: ReturnType<typeof parseBranch>): parsed is Branch =>
  parsed !== undefined && 'tree' in parsed;
