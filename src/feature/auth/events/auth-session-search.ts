import * as z from 'zod';
import { toStamp } from '../../../core/clock.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { accountKeys } from '../account/account-stage.ts';
import { toBrowserName } from '../browser-name.ts';
import { NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';

export const authSessionSearch: EventContribution = {
  name: 'auth-session-search',
  description: "Lists an account's sessions, the last used first.",
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results:
    '`rows`, each with `session` (its id), `browser`, `address`, `created`, `seen` (noted once a minute) and `own`: whether the request came with it.',
  kind: 'reads',
  listen:
    ({ services }) =>
    async (request, response) => {
      const auth = await findSelectedAuth(services.database, z.object(accountKeys()).parse(request.getStage()));
      if (!auth) return response.refuse(NOBODY);
      const sessions = await services.sessions.list(auth.auth_id, request);
      const rows = sessions.map(({ id, address, browser, createdAt, seenAt, isOwn }) => ({
        session: id,
        browser: toBrowserName(browser),
        address,
        created: toStamp(createdAt * 1000),
        seen: toStamp(seenAt * 1000),
        own: isOwn,
      }));
      response.succeed({ rows, total: rows.length });
    },
};
