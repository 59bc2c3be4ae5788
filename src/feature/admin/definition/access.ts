import { type Access, getAccess } from '../../../core/access.ts';
import { memoize } from '../../../core/memoize.ts';
import { compilePattern } from '../../../core/pattern.ts';
import { findDefinitionOf } from '../../../edit/proposal.ts';
import { listPermissions, type RolePermission } from '../../../model/role.ts';
import type { Context } from '../../../plan/feature.ts';
import { toHeld } from '../../../plan/path-guard.ts';

/** Definitions of other kinds lie below the pages of rows. */
const DATA = '/admin/system/model/';
/** A permission that covers this page is meant for definitions of every kind. */
const SCHEMAS = '/admin/system/schema/search';

interface Entry extends RolePermission {
  readonly covers: (path: string) => boolean;
  readonly isGeneral: boolean;
}

const entriesOf = memoize((context: Context): Entry[] =>
  listPermissions(context.plan.model).map((permission) => {
    const { covers } = compilePattern(permission.path);
    return { ...permission, covers, isGeneral: covers(SCHEMAS) };
  }),
);

/**
 * True if a permission is meant for a page of definitions: it covers those of schemas too, or it names the page's own
 * room. `/admin/system/model/**` gives data, and not the definitions that lie beside it.
 */
function isMeant({ path: permission, covers, isGeneral }: Entry, path: string): boolean {
  if (!covers(path)) return false;
  if (isGeneral || !path.startsWith(DATA)) return true;
  return permission.toLowerCase().startsWith(`${DATA}${path.slice(DATA.length).split('/')[0] ?? ''}/`);
}

/** A page that whoever changes a file must be able to post to: of the file's kind; of schemas for code and templates. */
function toPageOf(file: string): string {
  const kind = findDefinitionOf(file)?.kind ?? 'schema';
  if (kind === 'settings') return '/admin/system/settings';
  return kind === 'schema' || kind === 'fieldset' ? `/admin/system/${kind}/update/x` : `${DATA}${kind}/update/x`;
}

/** True if somebody may change every one of these files. */
export const mayChangeFiles = (context: Context, files: readonly string[]): boolean =>
  files.every((file) => mayOpenDefinition(context, toPageOf(file), 'POST'));

/** True if somebody may open a page of definitions by a method: code and commands may, calls of the API never. */
export function mayOpenDefinition(
  context: Context,
  path: string,
  method: string,
  access: Access = getAccess(),
): boolean {
  if (access.kind === 'system') return true;
  if (access.kind !== 'page') return false;
  const held = toHeld(access.roles, access.authId !== undefined);
  return entriesOf(context).some(
    (entry) =>
      held.includes(entry.role) &&
      (entry.method === 'all' || entry.method === method.toLowerCase()) &&
      isMeant(entry, path.toLowerCase()),
  );
}
