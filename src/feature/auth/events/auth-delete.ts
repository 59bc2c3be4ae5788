import * as z from 'zod';
import { asSystem } from '../../../core/access.ts';
import { TreadleError } from '../../../core/errors.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { Consequences } from '../../../plan/emit/consequence.ts';
import { RowFailure } from '../../../plan/emit/row-feed.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { defineEvent, type Rejection, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import type { Context, EventExchange } from '../../../plan/feature.ts';
import { deleteRows } from '../../../store/write/row-sql.ts';
import { toAccount } from '../account/account.ts';
import { accountKeys, accountRow } from '../account/account-stage.ts';
import { countOwned, listOwnedSchemas, type OwnedSchema } from '../account/owned.ts';
import { checkCurrentPassword } from '../current-password.ts';
import { NOBODY, tellBusy } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { removeTokens } from '../mail/mail-token.ts';
import { deleteLinks } from '../provider/sql.ts';
import { type AuthRow, deleteAuth, findProfile } from '../sql.ts';

/** Rows of an account that one transaction removes. More would hold the database's writer for too long. */
const MOST_AT_ONCE = 1000;
/** Rows that are removed before the next are read. */
const PAGE = 200;

/** Emits `system-model-remove` for a row, so that listeners and web hooks hear of it. Gives the message of a refusal. */
async function removeRow(context: Context, schema: string, key: Row): Promise<string | undefined> {
  const request = new Request().setStage({ schema, ...key });
  const response = new Response(request);
  await asSystem(() => context.emit('system-model-remove', request, response));
  return response.isError() && response.getStatus() !== 404 ? (response.getMessage() ?? 'It was refused.') : undefined;
}

/** Removes the rows of one schema that are not removed yet. Gives the first refusal. */
async function removeOwned(context: Context, { schema, owner }: OwnedSchema, profileId: number) {
  const { kysely } = context.services.database;
  const { table, primary, active } = schema;
  let refusal: string | undefined;
  for (let after = 0; ; ) {
    let query = kysely.selectFrom(table).select(primary).where(owner, '=', profileId).where(primary, '>', after);
    if (active !== undefined) query = query.where(active, '=', 1);
    const rows = await query.orderBy(primary).limit(PAGE).execute();
    if (rows.length === 0) return refusal;
    for (const row of rows) refusal ??= await removeRow(context, schema.name, row);
    after = Number(rows.at(-1)?.[primary]);
  }
}

/** Removes what the profile owns. A row may refer to one of another schema, so what was refused is tried again after the rest. */
async function removeAllOwned(context: Context, owned: readonly OwnedSchema[], profileId: number) {
  let left = owned;
  let refusal: string | undefined;
  for (let round = 0; round <= owned.length && left.length > 0; round += 1) {
    const refused: OwnedSchema[] = [];
    refusal = undefined;
    for (const one of left) {
      const message = await removeOwned(context, one, profileId);
      if (message !== undefined) refused.push(one);
      refusal ??= message;
    }
    left = refused;
  }
  return refusal;
}

/** Deletes for good what is left of a schema: its rows were removed softly. Only what goes with them is reported: the rows were before. */
async function deleteOwned(context: Context, { schema, owner }: OwnedSchema, profileId: number): Promise<void> {
  const { database } = context.services;
  const { table, primary } = schema;
  const left = await database.kysely.selectFrom(table).select(primary).where(owner, '=', profileId).execute();
  const consequences = new Consequences(context);
  await consequences.find(
    schema,
    left.map((row) => Number(row[primary])),
  );
  await deleteRows(database, schema, owner, profileId);
  await consequences.tell();
}

/** Rolls everything back. */
class RollbackError extends Error {}

/** Removes what the profile owns, deletes for good what a soft removal left, then account and profile, in one transaction. */
async function deleteAll(
  context: Context,
  exchange: EventExchange,
  { auth, owned }: { readonly auth: AuthRow; readonly owned: readonly OwnedSchema[] },
): Promise<void> {
  const { database } = context.services;
  const { auth_id: authId, profile_id: profileId } = auth;
  await database.transaction(async () => {
    const ownedRefusal = await removeAllOwned(context, owned, profileId);
    if (ownedRefusal !== undefined) throw new RollbackError(ownedRefusal);
    const profile = await findProfile(database, profileId);
    await commitResults(context, exchange, toAccount(context, auth, profile));
    for (const { schema, owner } of owned)
      if (schema.active !== undefined) await deleteOwned(context, { schema, owner }, profileId);
    await removeTokens(database, authId);
    await deleteLinks(database, authId);
    await deleteAuth(database, authId);
    const refusal = await removeRow(context, 'profile', { profile_id: profileId });
    if (refusal !== undefined) throw new RollbackError(refusal);
    const schema = context.plan.model.schemas.get('profile');
    if (schema !== undefined) await deleteOwned(context, { schema, owner: 'profile_id' }, profileId);
  });
}

async function remove(context: Context, exchange: EventExchange, auth: AuthRow): Promise<Rejection | undefined> {
  const { database, sessions } = context.services;
  const owned = listOwnedSchemas(context.plan.model);
  const counts = await countOwned(database, owned, auth.profile_id);
  const isLong = counts.reduce((sum, { count }) => sum + count, 0) > MOST_AT_ONCE;
  const refusal = isLong ? await removeAllOwned(context, owned, auth.profile_id) : undefined;
  try {
    if (refusal !== undefined) throw new RollbackError(refusal);
    await deleteAll(context, exchange, { auth, owned });
  } catch (error) {
    // The database refuses to delete a row for good that others refer to.
    const isReferenced = error instanceof TreadleError && error.status === 409;
    if (!(error instanceof RollbackError || error instanceof RowFailure || isReferenced)) throw error;
    return reject({
      status: 409,
      code: 'ACCOUNT_REFERENCED',
      message: translate('The account cannot be removed yet: {message}', { message: error.message }),
    });
  }
  await sessions.endAll(auth.auth_id);
}

export const authDelete = defineEvent({
  name: 'auth-delete',
  description:
    'Removes an account for good, with its profile and every row that the profile owns; each row is removed by `system-model-remove`. One transaction: if a row is refused, everything stays. Asks for the password.',
  kind: 'self',
  stage: () => z.object({ ...accountKeys(), auth_current: onlyText('The current password.') }),
  results: () => accountRow().describe('The account and its profile as they were, without the password.'),
  run: ({ auth_current: current = '', ...selection }, context, exchange) =>
    tellBusy(exchange.response, async () => {
      const auth = await findSelectedAuth(context.services.database, selection);
      if (!auth) return reject(NOBODY);
      return (await checkCurrentPassword(context, auth, current, exchange)) ?? remove(context, exchange, auth);
    }),
});
