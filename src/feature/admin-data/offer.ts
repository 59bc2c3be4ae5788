import { type Action, getAccess } from '../../core/access.ts';
import type { SchemaModel } from '../../model/model.ts';
import { mayOpen } from '../../page/guard.ts';
import type { Context } from '../../plan/feature.ts';

/** Path of a schema's data pages, without a slash at its end. */
export const toDataPath = (schema: string): string => `/admin/system/model/${schema}`;

/** What the viewer may do with the rows of a schema, so that no page offers what its role refuses. */
export interface Offer {
  readonly detail: boolean;
  readonly create: boolean;
  readonly update: boolean;
  readonly remove: boolean;
  /** False also if the schema has no removed rows. */
  readonly restore: boolean;
  readonly import: boolean;
  readonly export: boolean;
}

/** Judges both halves of a role: the rule for the action, and the path of its page. */
export function listOffers(context: Context, schema: SchemaModel): Offer {
  const access = getAccess();
  const base = toDataPath(schema.name);
  const isOffered = (action: Action, path: string, method?: string): boolean =>
    access.grant(schema.name, action) !== undefined && mayOpen(context, `${base}/${path}`, method);
  return {
    detail: isOffered('detail', 'detail/1'),
    create: isOffered('create', 'create', 'POST'),
    // Its form begins with what the detail shows.
    update: access.grant(schema.name, 'detail') !== undefined && isOffered('update', 'update/1', 'POST'),
    remove: isOffered('remove', 'remove/1', 'POST'),
    restore: schema.active !== undefined && isOffered('restore', 'restore/1', 'POST'),
    import: isOffered('import', 'import', 'POST'),
    export: isOffered('search', 'export'),
  };
}
