import { pageLimit, readBy, text, word } from '../../plan/event/value.ts';
import type { Context } from '../../plan/feature.ts';
import { CHANGE_ACTIONS } from '../../plan/recorder.ts';
import { jsonColumn, numberColumn, textColumn, timeColumn } from '../../plan/table/column.ts';
import { table } from '../../plan/table/table.ts';
import { DOORS } from './actor.ts';
import { type EntryFilter, listEntries } from './read-sql.ts';
import { HISTORY } from './sql.ts';
import { toView } from './view.ts';
import { filterVisible, findVisibleSubjects } from './visible.ts';

const number = (key: string, description: string) =>
  readBy(
    (given) => (/^\d{1,15}$/.test(given) ? Number(given) : undefined),
    () => `${key} must be a number`,
    description,
  );

const oneOf = (key: string, known: readonly string[]) =>
  word({ known, refuse: () => `${key} must be ${known.join(', ')}.` }, `One of ${known.join(', ')}.`);

const isDay = (given: string): boolean => /^\d{4}-\d\d-\d\d$/.test(given);

/** Unix seconds of `YYYY-MM-DD`, with or without ` HH:MM:SS`, in UTC. @param more Seconds to add to a day. */
const time = (key: string, more: number, description: string) =>
  readBy(
    (given) => {
      const seconds = Date.parse(`${given.replace(' ', 'T')}${isDay(given) ? '' : 'Z'}`) / 1000;
      return Number.isFinite(seconds) ? Math.floor(seconds) + (isDay(given) ? more : 0) : undefined;
    },
    () => `${key} must be a day such as 2026-01-31, or a time such as 2026-01-31 12:00:00`,
    description,
  );

/** The subjects to search: those that were asked for, as far as they may be seen. */
function findSubjects(context: Context, schema: string | undefined): Pick<EntryFilter, 'subjects' | 'hidden'> {
  const visible = findVisibleSubjects(context);
  if (schema === undefined) return visible;
  const isIn =
    visible.subjects === undefined ? visible.hidden?.includes(schema) !== true : visible.subjects.includes(schema);
  return { subjects: isIn || schema.includes('/') ? [schema] : [] };
}

/** Who changed what. What a viewer may see decides on its rows, so no statement alone reads them. */
export const entries = table(
  {
    name: 'history',
    source: HISTORY,
    key: 'history_id',
    columns: {
      history_id: numberColumn('history_id'),
      kind: textColumn('subject'),
      subject: textColumn('subject'),
      row_id: numberColumn('row_id'),
      action: textColumn('entry'),
      created: timeColumn('created_at'),
      auth_id: numberColumn('auth_id'),
      app_id: numberColumn('entry'),
      door: textColumn('entry'),
      source: textColumn('entry'),
      address: textColumn('entry'),
      request_id: textColumn('entry'),
      columns: jsonColumn('entry'),
      details: jsonColumn('entry'),
    },
    filters: {
      schema: { column: 'subject', operator: 'eq' },
      id: { column: 'row_id', operator: 'eq' },
      auth_id: { column: 'auth_id', operator: 'eq' },
      app_id: { column: 'app_id', operator: 'eq' },
      door: { column: 'door', operator: 'eq' },
      action: { column: 'action', operator: 'eq' },
      since: { column: 'created', operator: 'gte' },
      until: { column: 'created', operator: 'lt' },
      before: { column: 'history_id', operator: 'lt' },
    },
  },
  {
    search: {
      description: 'Lists who changed which row or definition, the newest first.',
      kind: 'silent',
      stage: () => ({
        schema: text('Name of a schema, or `schema/article` for a definition.'),
        id: number('id', 'Id of a row.'),
        auth_id: number('auth_id', 'Account of the person.'),
        app_id: number('app_id', 'The app.'),
        door: oneOf('door', DOORS),
        action: oneOf('action', CHANGE_ACTIONS),
        since: time('since', 0, 'First day or time, UTC.'),
        // The whole day.
        until: time('until', 86_400, 'Last day, or the time before which, UTC.'),
        before: number('before', 'Only entries with a lower id: the next page.'),
        limit: pageLimit('At most, 1 to 100. Default 50.'),
      }),
      results:
        '`rows`, each with `history_id`, `kind` (row or definition), `subject`, `row_id`, `action`, `created`, `auth_id`, `app_id`, `door`, `source`, `address`, `request_id`, `columns` and `details`; `next`: the id to continue before, or null.',
      async read({ schema, id: rowId, auth_id: authId, app_id: app, limit: _limit, ...rest }, limit, context) {
        const filter = { ...rest, rowId, authId, app, ...findSubjects(context, schema), limit: limit + 1 };
        const found = await listEntries(context.services.database, filter);
        const page = found.slice(0, limit);
        const visible = await filterVisible(context, page);
        const rows = await Promise.all(visible.map((entry) => toView(context, entry)));
        return { rows, next: found.length > limit ? (page.at(-1)?.id ?? null) : null };
      },
    },
  },
);
