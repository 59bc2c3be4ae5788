import { findTokenAccount } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { isGiven } from '../../../store/read/parse/draft.ts';
import { findAppTitles } from '../client/app-sql.ts';
import { findSessions, SESSION_ROWS } from '../token/session-sql.ts';
import { toSessionView } from '../token/session-view.ts';

const KEYS = ['app_id', 'auth_id', 'before'] as const;

const isId = (value: unknown): boolean => Number.isSafeInteger(Number(value)) && Number(value) > 0;
const toId = (value: unknown): number | undefined => (isGiven(value) ? Number(value) : undefined);

export const sessionSearch: EventContribution = {
  name: 'session-search',
  description: 'Lists the sessions of all apps, newest first: the consents that have a live token.',
  stage: {
    app_id: 'Only those of this app.',
    auth_id: 'Only those of this account; in a user call always that of the token.',
    before: 'Only sessions with a lower `grant_id`: the next page.',
  },
  results:
    '`rows`, at most 50: as of `app-session-search`, with `app_id` and `title` of the app; `next`, the `before` of the next page.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { database, clock } = context.services;
    const wrong = KEYS.find((key) => isGiven(request.getStage(key)) && !isId(request.getStage(key)));
    if (wrong !== undefined) {
      const message = `${wrong} is a whole number from 1.`;
      return response.refuse({ status: 400, message, validation: { [wrong]: message } });
    }
    const [appId, asked, before] = KEYS.map((key) => toId(request.getStage(key)));
    const authId = findTokenAccount() ?? asked;
    const found = await findSessions(database, { appId, authId, before, now: toSeconds(clock.now()) });
    const shown = found.slice(0, SESSION_ROWS);
    const titles = await findAppTitles(database, [...new Set(shown.map((row) => Number(row.app_id)))]);
    const rows = shown.map((row) => {
      const id = Number(row.app_id);
      return { ...toSessionView(row), app_id: id, title: titles.get(id) ?? String(id) };
    });
    response.succeed({ rows, next: found.length > SESSION_ROWS ? rows.at(-1)?.grant_id : null });
  },
};
