import * as z from 'zod';
import { commitResults } from '../../../plan/event/commit.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { optionalLookupId } from '../../../plan/event/value.ts';
import { accountKeys } from '../account/account-stage.ts';
import { LAST_WAY_IN, NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { deleteLink, listLinks } from '../provider/sql.ts';
import { countWaysIn } from '../provider/ways-in.ts';
import { findAuth, lockAuth } from '../sql.ts';

export const authProviderUnlink = defineEvent({
  name: 'auth-provider-unlink',
  description: "Removes the link of an account to a provider's user. Refuses the last way in.",
  kind: 'self',
  stage: () => z.object({ ...accountKeys(), link_id: optionalLookupId('Of `auth-provider-search`.') }),
  results: () => z.object({ auth_id: z.number(), provider: z.string() }).describe('`auth_id` and `provider`.'),
  async run({ link_id: linkId, ...selection }, context, exchange) {
    const { database } = context.services;
    const selected = await findSelectedAuth(database, selection);
    if (!selected) return reject(NOBODY);
    return database.transaction(async () => {
      // Two requests at once must not remove the last two ways in.
      await lockAuth(database, selected.auth_id);
      // As it is now: its last passkey or its password may have gone meanwhile.
      const auth = await findAuth(database, 'auth_id', selected.auth_id);
      if (!auth) return reject(NOBODY);
      const links = await listLinks(database, auth.auth_id);
      const removed = links.find(({ link_id: id }) => id === linkId);
      if (!removed)
        return reject({ status: 404, code: 'PROVIDER_LINK_MISSING', message: 'The account has no such link.' });
      const left = links.filter((one) => one !== removed);
      if (countWaysIn(context, auth, left) === 0)
        return reject({ status: 409, code: 'LOGIN_LAST', message: LAST_WAY_IN });
      await deleteLink(database, auth.auth_id, removed.link_id);
      return commitResults(context, exchange, { auth_id: auth.auth_id, provider: removed.provider });
    });
  },
});
