import type { SchemaModel, TreeModel } from './model.ts';

/** The tree whose parents' keys a column of a schema has. */
export const findTree = ({ trees }: Pick<SchemaModel, 'trees'>, column: string): TreeModel | undefined =>
  trees.find((tree) => tree.column === column);

/** True if a column of a schema has the keys of a tree's parents. */
export const isTreeKey = (schema: Pick<SchemaModel, 'trees'>, column: string): boolean =>
  findTree(schema, column) !== undefined;
