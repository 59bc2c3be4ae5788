import * as z from 'zod';
import { toSeconds, toStamp } from '../../../core/clock.ts';
import type { Refusal } from '../../../core/request/response.ts';
import { translate } from '../../../core/text/translate.ts';
import { listProviders } from '../../../model/provider.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { accountKeys } from '../account/account-stage.ts';
import { INACTIVE, NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { hasMail, sendMail } from '../mail/mail.ts';
import { identityKeys, parseIdentity } from '../provider/identity-stage.ts';
import { findLink, insertLink } from '../provider/sql.ts';
import { findProfile } from '../sql.ts';

const NOT_SENT: Refusal = {
  status: 403,
  code: 'EVENT_NOT_BY_REQUEST',
  message: 'Only a sign-in by a provider can name its user.',
};

export const authProviderLink = defineEvent({
  name: 'auth-provider-link',
  description:
    "Links a provider's user to an account, which it opens from then on, and mails the account. Linking twice is once. Takes nothing that came with a request but the account.",
  kind: 'self',
  stage: () => z.object({ ...accountKeys(), ...identityKeys() }),
  results: () =>
    z
      .object({ auth_id: z.number(), provider: z.string(), email: z.string().nullable() })
      .describe('`auth_id`, `provider` and `email`.'),
  async run(stage, context, exchange) {
    const { database, clock } = context.services;
    const identity = parseIdentity(stage, exchange.request);
    if (identity === undefined) return reject(NOT_SENT);
    const auth = await findSelectedAuth(database, stage);
    if (!auth) return reject(NOBODY);
    if (auth.auth_active !== 1) return reject(INACTIVE);
    const label = listProviders(context.plan.model.settings).get(identity.provider)?.label ?? identity.provider;
    return database.transaction(async () => {
      const isNew = await insertLink(database, identity, { authId: auth.auth_id, now: toSeconds(clock.now()) });
      if (!isNew && (await findLink(database, identity))?.auth_id !== auth.auth_id) {
        return reject({
          status: 409,
          code: 'PROVIDER_LINKED',
          message: translate('This user of {label} is linked to another account.', { label }),
        });
      }
      const linked = { auth_id: auth.auth_id, provider: identity.provider, email: identity.email ?? null };
      if (!isNew) return linked;
      await commitResults(context, exchange, linked);
      if (!hasMail(context)) return undefined;
      // Who did not do this learns of it.
      const profile = await findProfile(database, auth.profile_id);
      const data = () => ({ provider: label, name: profile?.profile_name, at: toStamp(clock.now()) });
      const letter = { to: auth.auth_slug, template: 'auth-provider-linked', data };
      await sendMail(context, exchange.response, auth, letter);
      return undefined;
    });
  },
});
