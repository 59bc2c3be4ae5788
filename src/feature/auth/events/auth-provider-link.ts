import { toSeconds, toStamp } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Refusal, Response } from '../../../core/request/response.ts';
import { translate } from '../../../core/text/translate.ts';
import { listProviders } from '../../../model/provider.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { INACTIVE, NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { hasMail, sendMail } from '../mail/mail.ts';
import { IDENTITY_STAGE, parseIdentity } from '../provider/identity-stage.ts';
import { findLink, insertLink } from '../provider/sql.ts';
import { findProfile } from '../sql.ts';

const NOT_SENT: Refusal = { status: 403, message: 'Only a sign-in by a provider can name its user.' };

async function link(context: Context, request: Request, response: Response): Promise<void> {
  const { database, clock } = context.services;
  const identity = parseIdentity(request);
  if (identity === undefined) return response.refuse(NOT_SENT);
  const auth = await findSelectedAuth(database, request);
  if (!auth) return response.refuse(NOBODY);
  if (auth.auth_active !== 1) return response.refuse(INACTIVE);
  const label = listProviders(context.plan.model.settings).get(identity.provider)?.label ?? identity.provider;
  await database.transaction(async () => {
    const isNew = await insertLink(database, identity, { authId: auth.auth_id, now: toSeconds(clock.now()) });
    if (!isNew && (await findLink(database, identity))?.auth_id !== auth.auth_id) {
      return response.refuse({
        status: 409,
        message: translate('This user of {label} is linked to another account.', { label }),
      });
    }
    response.succeed({ auth_id: auth.auth_id, provider: identity.provider, email: identity.email ?? null });
    if (!isNew) return;
    await context.committing('auth-provider-link', request, response);
    if (!hasMail(context)) return;
    // Who did not do this learns of it.
    const profile = await findProfile(database, auth.profile_id);
    const data = () => ({ provider: label, name: profile?.profile_name, at: toStamp(clock.now()) });
    await sendMail(context, response, auth, { to: auth.auth_slug, template: 'auth-provider-linked', data });
  });
}

export const authProviderLink: EventContribution = {
  name: 'auth-provider-link',
  description:
    "Links a provider's user to an account, which it opens from then on, and mails the account. Linking twice is once. Takes nothing that came with a request but the account.",
  stage: { auth_id: 'The account, or use `auth_slug`.', ...IDENTITY_STAGE },
  results: '`auth_id`, `provider` and `email`.',
  kind: 'self',
  listen: (context) => (request, response) => link(context, request, response),
};
