import { toStamp } from '../../../core/clock.ts';
import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { ADMIN, parseRoles } from '../../../model/role/role.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { LAST_ADMIN, NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { findProfile, listAdmins, updateAuth } from '../sql.ts';
import { toAccount } from './account.ts';
import { answerShownAccount } from './shown-account.ts';

/** For the docs of the stage. */
export const KEEPS_ADMINISTRATOR = '`true` refuses to leave no administrator who can log in.';

export interface Change {
  readonly event: string;
  readonly changes: Row;
  /** Whether to end all sessions of the account at once, on all servers. */
  readonly isEndingSessions: boolean;
}

const isAdmin = (type: unknown): boolean => parseRoles(type).includes(ADMIN);

/** True if a change would leave no administrator who can log in. Call it in the write that changes the account. */
async function isLastAdmin(database: Database, authId: number, changes: Row): Promise<boolean> {
  const isKept = changes.auth_active !== 0 && (changes.auth_type === undefined || isAdmin(changes.auth_type));
  if (isKept) return false;
  const admins = (await listAdmins(database)).filter(({ auth_type: type }) => isAdmin(type));
  return admins.length === 1 && Number(admins[0]?.auth_id) === authId;
}

/** Changes columns of the account that the stage selects. */
export async function changeAccount(
  context: Context,
  { request, response }: Exchange,
  { event, changes, isEndingSessions }: Change,
): Promise<void> {
  const { database, clock, sessions } = context.services;
  const auth = await findSelectedAuth(database, request);
  if (!auth) return response.refuse(NOBODY);
  const keepsAdmin = request.getStage('keeps_administrator') === true;
  await database.write(async () => {
    if (keepsAdmin && (await isLastAdmin(database, auth.auth_id, changes))) return response.refuse(LAST_ADMIN);
    const row = await updateAuth(database, auth.auth_id, { ...changes, auth_updated: toStamp(clock.now()) });
    response.succeed(toAccount(context, row ?? auth, await findProfile(database, auth.profile_id)));
    await context.committing(event, request, response);
  });
  await answerShownAccount(context, request, response);
  if (isEndingSessions && !response.isError()) await sessions.endAll(auth.auth_id);
}
