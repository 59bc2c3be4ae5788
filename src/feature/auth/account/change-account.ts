import { toStamp } from '../../../core/clock.ts';
import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { ADMIN, parseRoles } from '../../../model/role/role.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { type Rejection, reject } from '../../../plan/event/event.ts';
import { onlyTrue } from '../../../plan/event/value.ts';
import type { Context, EventExchange } from '../../../plan/feature.ts';
import { LAST_ADMIN, NOBODY } from '../errors.ts';
import { type AccountSelection, findSelectedAuth } from '../find-requested.ts';
import { findProfile, listAdmins, updateAuth } from '../sql.ts';
import { toAccount } from './account.ts';
import { answerShownAccount } from './shown-account.ts';

/** The stage key by which a change refuses to leave no administrator. */
export const keepsAdministrator = () => onlyTrue('`true` refuses to leave no administrator who can log in.');

export interface AccountChange extends AccountSelection {
  readonly changes: Row;
  /** Whether to end all sessions of the account at once, on all servers. Default false. */
  readonly isEndingSessions?: boolean;
  readonly keeps_administrator?: boolean;
}

const isAdmin = (type: unknown): boolean => parseRoles(type).includes(ADMIN);

/** True if a change would leave no administrator who can log in. Call it in the write that changes the account. */
async function isLastAdmin(database: Database, authId: number, changes: Row): Promise<boolean> {
  const isKept = changes.auth_active !== 0 && (changes.auth_type === undefined || isAdmin(changes.auth_type));
  if (isKept) return false;
  const admins = (await listAdmins(database)).filter(({ auth_type: type }) => isAdmin(type));
  return admins.length === 1 && Number(admins[0]?.auth_id) === authId;
}

/** Changes columns of the account that a stage selects, and commits it as the event of the exchange. */
export async function changeAccount(
  context: Context,
  exchange: EventExchange,
  { changes, isEndingSessions = false, keeps_administrator: keepsAdmin = false, ...selection }: AccountChange,
): Promise<Rejection | undefined> {
  const { database, clock, sessions } = context.services;
  const { request, response } = exchange;
  const auth = await findSelectedAuth(database, selection);
  if (!auth) return reject(NOBODY);
  const rejection = await database.write(async () => {
    if (keepsAdmin && (await isLastAdmin(database, auth.auth_id, changes))) return reject(LAST_ADMIN);
    const row = await updateAuth(database, auth.auth_id, { ...changes, auth_updated: toStamp(clock.now()) });
    const profile = await findProfile(database, auth.profile_id);
    return commitResults(context, exchange, toAccount(context, row ?? auth, profile));
  });
  if (rejection !== undefined) return rejection;
  await answerShownAccount(context, request, response);
  if (isEndingSessions && !response.isError()) await sessions.endAll(auth.auth_id);
}
