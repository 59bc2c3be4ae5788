import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { PAGE_LIMIT_ERROR, readPageLimit } from '../../../core/text/page-limit.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { CHANGE_ACTIONS } from '../../../plan/recorder.ts';
import { DOORS } from '../actor.ts';
import { type EntryFilter, listEntries } from '../read-sql.ts';
import { toView } from '../view.ts';
import { filterVisible, findVisibleSubjects } from '../visible.ts';

const toText = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : String(value);

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** Unix seconds of `YYYY-MM-DD`, with or without ` HH:MM:SS`, in UTC; NaN if it is not a time. */
const toTime = (text: string): number => Date.parse(`${text.replace(' ', 'T')}${isDay(text) ? '' : 'Z'}`) / 1000;

/** Reads the filter of a stage; `tell` gets each error. */
function readFilter(stage: Row, tell: (key: string, message: string) => void): Omit<EntryFilter, 'subjects' | 'limit'> {
  const number = (key: string): number | undefined => {
    const text = toText(stage[key]);
    if (text === undefined) return undefined;
    if (/^\d{1,15}$/.test(text)) return Number(text);
    tell(key, 'must be a number');
    return undefined;
  };
  const one = (key: string, known: readonly string[]): string | undefined => {
    const text = toText(stage[key]);
    if (text === undefined || known.includes(text)) return text;
    tell(key, `must be ${known.join(', ')}. ${toDidYouMean(text, known) ?? ''}`.trim());
    return undefined;
  };
  const time = (key: string, more: number): number | undefined => {
    const text = toText(stage[key]);
    if (text === undefined) return undefined;
    const seconds = toTime(text);
    if (Number.isFinite(seconds)) return Math.floor(seconds) + (isDay(text) ? more : 0);
    tell(key, 'must be a day such as 2026-01-31, or a time such as 2026-01-31 12:00:00');
    return undefined;
  };
  return {
    rowId: number('id'),
    authId: number('auth_id'),
    app: number('app_id'),
    before: number('before'),
    door: one('door', DOORS),
    action: one('action', CHANGE_ACTIONS),
    since: time('since', 0),
    // The whole day.
    until: time('until', 86_400),
  };
}

/** The subjects to search: those that were asked for, as far as they may be seen. */
function findSubjects(context: Context, stage: Row): Pick<EntryFilter, 'subjects' | 'hidden'> {
  const visible = findVisibleSubjects(context);
  const schemaName = toText(stage.schema);
  if (schemaName === undefined) return visible;
  const isIn =
    visible.subjects === undefined
      ? visible.hidden?.includes(schemaName) !== true
      : visible.subjects.includes(schemaName);
  return { subjects: isIn || schemaName.includes('/') ? [schemaName] : [] };
}

async function search(context: Context, request: Request, response: Response): Promise<void> {
  const stage = request.getStage() as Row;
  const errors: Record<string, string> = {};
  const filter = readFilter(stage, (key, message) => {
    errors[key] = `${key} ${message}`;
  });
  const limit = readPageLimit(stage.limit);
  if (limit === undefined) errors.limit = PAGE_LIMIT_ERROR;
  const [fault] = Object.values(errors);
  if (limit === undefined || fault !== undefined)
    return response.refuse({ status: 422, message: fault ?? PAGE_LIMIT_ERROR, validation: errors });
  const entryFilter = { ...filter, ...findSubjects(context, stage), limit: limit + 1 };
  const found = await listEntries(context.services.database, entryFilter);
  const page = found.slice(0, limit);
  const visible = await filterVisible(context, page);
  const rows = await Promise.all(visible.map((entry) => toView(context, entry)));
  response.succeed({ rows, next: found.length > limit ? (page.at(-1)?.id ?? null) : null });
}

export const historySearch: EventContribution = {
  name: 'history-search',
  description: 'Lists who changed which row or definition, the newest first.',
  stage: {
    schema: 'Name of a schema, or `schema/article` for a definition.',
    id: 'Id of a row.',
    auth_id: 'Account of the person.',
    app_id: 'The app.',
    door: `One of ${DOORS.join(', ')}.`,
    action: `One of ${CHANGE_ACTIONS.join(', ')}.`,
    since: 'First day or time, UTC.',
    until: 'Last day, or the time before which, UTC.',
    before: 'Only entries with a lower id: the next page.',
    limit: 'At most, 1 to 100. Default 50.',
  },
  results:
    '`rows`, each with `history_id`, `kind` (row or definition), `subject`, `row_id`, `action`, `created`, `auth_id`, `app_id`, `door`, `source`, `address`, `request_id`, `columns` and `details`; `next`: the id to continue before, or null.',
  kind: 'silent',
  listen: (context) => (request, response) => search(context, request, response),
};
