import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { parseId } from '../account/account.ts';
import { LAST_WAY_IN, NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { deleteLink, listLinks } from '../provider/sql.ts';
import { countWaysIn } from '../provider/ways-in.ts';
import { findAuth, lockAuth } from '../sql.ts';

async function unlink(context: Context, request: Request, response: Response): Promise<void> {
  const { database } = context.services;
  const selected = await findSelectedAuth(database, request);
  if (!selected) return response.refuse(NOBODY);
  const linkId = parseId(request.getStage('link_id'));
  await database.transaction(async () => {
    // Two requests at once must not remove the last two ways in.
    await lockAuth(database, selected.auth_id);
    // As it is now: its last passkey or its password may have gone meanwhile.
    const auth = await findAuth(database, 'auth_id', selected.auth_id);
    if (!auth) return response.refuse(NOBODY);
    const links = await listLinks(database, auth.auth_id);
    const removed = links.find(({ link_id: id }) => id === linkId);
    if (!removed) return response.refuse({ status: 404, message: 'The account has no such link.' });
    const left = links.filter((one) => one !== removed);
    if (countWaysIn(context, auth, left) === 0) {
      return response.refuse({ status: 409, message: LAST_WAY_IN });
    }
    await deleteLink(database, auth.auth_id, removed.link_id);
    response.succeed({ auth_id: auth.auth_id, provider: removed.provider });
    await context.committing('auth-provider-unlink', request, response);
  });
}

export const authProviderUnlink: EventContribution = {
  name: 'auth-provider-unlink',
  description: "Removes the link of an account to a provider's user. Refuses the last way in.",
  stage: { auth_id: 'The account, or use `auth_slug`.', link_id: 'Of `auth-provider-search`.' },
  results: '`auth_id` and `provider`.',
  kind: 'self',
  listen: (context) => (request, response) => unlink(context, request, response),
};
