import { asSystem } from '../../core/access.ts';
import type { Context } from '../../plan/feature.ts';
import { readResults } from './run/ask.ts';

/** How a page names a person. */
export interface AccountName {
  readonly name: string;
  readonly email: string;
}

/** The people of these accounts, by id; an account that is gone is not among them. */
export async function readAccountNames(
  context: Context,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, AccountName>> {
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const row = await asSystem(() => readResults(context, 'auth-detail', { auth_id: id }));
      const email = String(row?.auth_slug ?? '');
      return row ? [[id, { name: String(row.profile_name ?? email), email }] as const] : [];
    }),
  );
  return new Map(found.flat());
}
