import { toStamp } from '../../core/clock.ts';
import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
import { toAccount } from './account.ts';
import { NOBODY } from './errors.ts';
import { findAsked } from './find-asked.ts';
import { findProfile, updateAuth } from './sql.ts';

export interface Change {
  readonly event: string;
  readonly changes: Row;
  /** Whether to end all sessions of the account at once, on all servers. */
  readonly isEndingSessions: boolean;
}

/** Changes columns of the account that the stage selects. */
export async function changeAccount(
  context: Context,
  { request, response }: { request: Request; response: Response },
  { event, changes, isEndingSessions }: Change,
): Promise<void> {
  const { database, clock, sessions } = context.services;
  const auth = await findAsked(database, request);
  if (!auth) return response.refuse(NOBODY);
  await database.write(async () => {
    const row = await updateAuth(database, auth.auth_id, { ...changes, auth_updated: toStamp(clock.now()) });
    response.succeed(toAccount(context.plan.model, row ?? auth, await findProfile(database, auth.profile_id)));
    await context.committing(event, request, response);
  });
  if (isEndingSessions) await sessions.endAll(auth.auth_id);
}
