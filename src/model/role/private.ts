import { memoize } from '../../core/memoize.ts';
import type { Model, SchemaModel } from '../model.ts';

/** Names of a schema's private columns: only the row's owner, and roles that name them, see them. */
export const listPrivate = memoize(({ columns }: Pick<SchemaModel, 'columns'>): readonly string[] =>
  columns.filter(({ isPrivate }) => isPrivate).map(({ name }) => name),
);

/** Whether any schema of a model has a private column. */
export const hasPrivate = memoize(({ schemas }: Pick<Model, 'schemas'>): boolean =>
  [...schemas.values()].some((schema) => listPrivate(schema).length > 0),
);
