import * as z from 'zod';
import { toStamp } from '../../../core/clock.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { row } from '../../../plan/event/value.ts';
import { accountKeys } from '../account/account-stage.ts';
import { toBrowserName } from '../browser-name.ts';
import { NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';

export const authSessionSearch = defineEvent({
  name: 'auth-session-search',
  description: "Lists an account's sessions, the last used first.",
  kind: 'reads',
  stage: () => z.object(accountKeys()),
  results: () =>
    z
      .object({ rows: z.array(row()), total: z.number() })
      .describe(
        '`rows`, each with `session` (its id), `browser`, `address`, `created`, `seen` (noted once a minute) and `own`: whether the request came with it.',
      ),
  async run(selection, { services }, { request }) {
    const auth = await findSelectedAuth(services.database, selection);
    if (!auth) return reject(NOBODY);
    const sessions = await services.sessions.list(auth.auth_id, request);
    const rows = sessions.map(({ id, address, browser, createdAt, seenAt, isOwn }) => ({
      session: id,
      browser: toBrowserName(browser),
      address,
      created: toStamp(createdAt * 1000),
      seen: toStamp(seenAt * 1000),
      own: isOwn,
    }));
    return { rows, total: rows.length };
  },
});
