import type { SchemaModel } from './model.ts';

/** True if a column of a schema has the keys of a tree's parents. */
export const isTreeKey = ({ trees }: Pick<SchemaModel, 'trees'>, name: string): boolean =>
  trees.some(({ column }) => column === name);
