import { getAccess } from '../../core/access.ts';
import { findDefinitionOf } from '../../edit/proposal.ts';
import { mayOpen } from '../../page/guard.ts';
import type { Context } from '../../plan/feature.ts';

/** A page that whoever changes a file must be able to post to: of the file's kind; of schemas for code and templates. */
function findPageOf(file: string): string {
  const kind = findDefinitionOf(file)?.kind ?? 'schema';
  if (kind === 'settings') return '/admin/system/settings';
  return kind === 'schema' || kind === 'fieldset'
    ? `/admin/system/${kind}/update/x`
    : `/admin/system/model/${kind}/update/x`;
}

/** True if somebody may change every one of these files. */
export const mayChangeFiles = (context: Context, files: readonly string[]): boolean =>
  files.every((file) => mayOpenDefinition(context, findPageOf(file), 'POST'));

/** True if somebody may open a page of definitions by a method: code and commands may, calls of the API never. */
export function mayOpenDefinition(context: Context, path: string, method: string): boolean {
  const access = getAccess();
  if (access.kind === 'system') return true;
  if (access.kind !== 'page') return false;
  return mayOpen(context, path, method);
}
