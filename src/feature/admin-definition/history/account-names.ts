import { asSystem } from '../../../core/access.ts';
import { readResults } from '../../../page/emit-event.ts';
import { mayOpen } from '../../../page/guard.ts';
import type { Context } from '../../../plan/feature.ts';

/** How a page names a person. */
export interface AccountName {
  readonly name: string;
  /** Undefined if the person who looks may not see it. */
  readonly email: string | undefined;
}

/**
 * The people of these accounts, by id, as the person who looks may see them. Somebody who may open the accounts sees all
 * of them. The result leaves out removed accounts and hidden names.
 */
export async function readAccountNames(
  context: Context,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, AccountName>> {
  const read = (id: number) => readResults(context, 'auth-detail', { auth_id: id });
  const isOpen = mayOpen(context, '/admin/user/search');
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const row = isOpen ? await asSystem(() => read(id)) : await read(id);
      const email = typeof row?.auth_slug === 'string' ? row.auth_slug : undefined;
      const name = row?.profile_name ?? email;
      return name === undefined ? [] : [[id, { name: String(name), email }] as const];
    }),
  );
  return new Map(found.flat());
}
