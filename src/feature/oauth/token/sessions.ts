import { findTokenAccount } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import { noteOthers } from '../../../core/text/rule-note.ts';
import type { Row } from '../../../database/row-statement.ts';
import { reject } from '../../../plan/event/event.ts';
import { optionalId } from '../../../plan/event/value.ts';
import { jsonColumn, numberColumn, secondsColumn, textColumn } from '../../../plan/table/column.ts';
import { cutPage, table } from '../../../plan/table/table.ts';
import { findAppTitles } from '../client/app-sql.ts';
import { GRANT } from '../tables.ts';
import { findSessions, SESSION_ROWS } from './session-sql.ts';
import { toSessionView } from './session-view.ts';

const isId = (value: number | string): value is number => typeof value === 'number' && value > 0;

/** The sessions of apps: consents with a live token. A row joins both and counts neither, so {@link findSessions} reads them. */
export const sessions = table(
  {
    name: 'session',
    source: GRANT,
    key: 'grant_id',
    columns: {
      grant_id: numberColumn('grant_id'),
      auth_id: numberColumn('auth_id'),
      profile_name: textColumn('profile_name', { label: 'User' }),
      scopes: jsonColumn('scopes', { label: 'Scopes' }),
      created_at: secondsColumn('created_at', { label: 'Allowed' }),
      used_at: secondsColumn('used_at', { label: 'Last used' }),
      expires_at: secondsColumn('expires_at', { label: 'Ends' }),
      app_id: numberColumn('app_id'),
      title: textColumn('title', { label: 'App' }),
    },
    order: { page: ['title'] },
    filters: {
      app_id: { column: 'app_id', operator: 'eq', label: 'Id of the app' },
      auth_id: { column: 'auth_id', operator: 'eq', label: 'Id of the account' },
      before: { column: 'grant_id', operator: 'lt' },
    },
  },
  {
    search: {
      description: 'Lists the sessions of all apps, newest first: the consents that have a live token.',
      kind: 'silent',
      stage: () => ({
        app_id: optionalId('Only those of this app.'),
        auth_id: optionalId('Only those of this account; in a user call always that of the token.'),
        before: optionalId('Only sessions with a lower `grant_id`: the next page.'),
      }),
      rows: SESSION_ROWS,
      results:
        '`rows`, at most 50: as of `app-session-search`, with `app_id` and `title` of the app; `next`, the `before` of the next page.',
      async read(stage, limit, { services: { database, clock } }) {
        const wrong = Object.entries(stage).find(([, value]) => value !== undefined && !isId(value))?.[0];
        if (wrong !== undefined) {
          const message = `${wrong} is a whole number from 1.`;
          noteOthers({ message });
          return reject({ status: 400, code: 'BAD_REQUEST', message, validation: { [wrong]: message } });
        }
        const { app_id: appId, auth_id: authId, before } = stage;
        const toWanted = (value: number | string | undefined) => (value === undefined ? undefined : Number(value));
        const found = await findSessions(database, {
          appId: toWanted(appId),
          authId: findTokenAccount() ?? toWanted(authId),
          before: toWanted(before),
          now: toSeconds(clock.now()),
        });
        const { rows, next } = cutPage(found, limit, 'grant_id');
        const titles = await findAppTitles(database, [...new Set(rows.map((row) => Number(row.app_id)))]);
        const toView = (row: Row): Row => {
          const id = Number(row.app_id);
          return { ...toSessionView(row), app_id: id, title: titles.get(id) ?? String(id) };
        };
        return { rows: rows.map(toView), next };
      },
    },
  },
);
