import * as z from 'zod';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import { accountKeys } from '../account/account-stage.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { type AuthRow, findProfile } from '../sql.ts';
import { sendMail, toLife, toLink } from './mail.ts';
import { issueToken, LINK_SECONDS, type Purpose } from './mail-token.ts';

interface LinkMail {
  /** Name of the event. */
  readonly name: string;
  readonly description: string;
  readonly purpose: Purpose;
  /** Page that the link opens. */
  readonly path: string;
  readonly template: string;
  /** True if an account gets this mail. Default: every active account. */
  readonly isFor?: (auth: AuthRow) => boolean;
}

/**
 * An event that mails a link to the account that the stage selects. If there is no account, or it does not get this mail,
 * nothing is sent and the answer is the same.
 */
export const defineLinkMail = ({ purpose, path, template, isFor = () => true, ...facts }: LinkMail): EventRecord =>
  defineEvent({
    ...facts,
    kind: 'silent',
    stage: () => z.object(accountKeys()),
    results: () => z.undefined().describe('None.'),
    async run(selection, context, { request, response }) {
      const { services } = context;
      if (request.callFacts !== undefined)
        return reject({ status: 403, code: 'EVENT_NOT_BY_CALL', message: 'A call cannot send this mail.' });
      const auth = await findSelectedAuth(services.database, selection);
      if (auth && auth.auth_active === 1 && isFor(auth)) {
        const profile = await findProfile(services.database, auth.profile_id);
        // One write: a token is useless without its mail.
        await services.database.transaction(async () => {
          const token = await issueToken(services, purpose, auth.auth_id);
          const { auth_slug: to } = auth;
          const name = profile?.profile_name;
          const data = () => ({ link: toLink(context, path, token), life: toLife(purpose), name, email: to });
          await sendMail(context, response, auth, { to, template, data, seconds: LINK_SECONDS[purpose] });
        });
      }
      if (!response.isError()) response.setError(false);
      return undefined;
    },
  });
