import { Readable } from 'node:stream';
import { type Access, getAccess } from '../../../core/access.ts';
import { toStamp } from '../../../core/clock.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context } from '../../../plan/feature.ts';
import { type AuthRow, findProfile } from '../sql.ts';
import { toAccount } from './account.ts';
import { listOwnedSchemas, readOwned } from './owned.ts';
import { showAccounts } from './shown-account.ts';

/** One JSON document: account with profile, sessions, names of second factors, providers, and the rows that the profile owns, by schema. */
async function* writeDocument(
  context: Context,
  auth: AuthRow,
  { more, access }: { readonly more: Row; readonly access: Access },
): AsyncGenerator<string> {
  const { database, clock } = context.services;
  const whole = toAccount(context, auth, await findProfile(database, auth.profile_id));
  const [account] = await showAccounts(context, [whole], 'detail', access);
  const world = { model: context.plan.model, database };
  const head = { made: toStamp(clock.now()), account, ...more };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "rows": {`;
  let before = '\n';
  for (const owned of listOwnedSchemas(context.plan.model)) {
    yield `${before}    ${JSON.stringify(owned.schema.name)}: [`;
    let comma = '\n';
    for await (const rows of readOwned(world, owned, auth.profile_id, access)) {
      for (const row of rows) {
        yield `${comma}      ${JSON.stringify(row)}`;
        comma = ',\n';
      }
    }
    yield '\n    ]';
    before = ',\n';
  }
  yield '\n  }\n}\n';
}

/**
 * What the site stores of a user, as far as the user may see it, as a stream: it may be long.
 * @param more Sessions, second factors and providers, without secrets.
 */
export const streamOwnData = (context: Context, auth: AuthRow, more: Row): Readable =>
  // The stream is read outside the request.
  Readable.from(writeDocument(context, auth, { more, access: getAccess() }));
