import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { APP } from '../tables.ts';

/** Changes what an app's row says of its sandbox, while that has this name. Returns whether it has. */
export async function updateSandbox(
  { kysely }: Database,
  { appId, sandbox }: { readonly appId: number; readonly sandbox: string },
  changes: Row,
): Promise<boolean> {
  const query = kysely.updateTable(APP).set(changes).where('app_id', '=', appId).where('sandbox', '=', sandbox);
  return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows) > 0;
}

/** What a row says of a sandbox that is gone. */
export const NO_SANDBOX = { sandbox: null, sandbox_client_id: null, sandbox_at: null } as const;

/** How many apps have a sandbox. */
export async function countSandboxes({ kysely }: Database): Promise<number> {
  const row = await kysely
    .selectFrom(APP)
    .select((select) => select.fn.countAll().as('count'))
    .where('sandbox', 'is not', null)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
