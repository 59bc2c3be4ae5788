import { asSystem } from '../../../core/access.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { emitEvent, readResults } from '../../../page/emit-event.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { mayOpen } from '../../../page/guard.ts';
import { readQuery } from '../../../page/list-page.ts';
import type { Context } from '../../../plan/feature.ts';
import { readPeople, toEntryView } from './entry-view.ts';
import { ACTIONS, DOORS, toActionText, toDoorText } from './words.ts';

const KEYS = ['schema', 'id', 'person', 'door', 'app_id', 'action', 'since', 'until', 'before'] as const;

type SearchParams = Partial<Record<(typeof KEYS)[number], string>>;

/** Finds the account of an e-mail address or an id. Gives why it does not. */
async function findPerson(context: Context, text: string | undefined): Promise<number | undefined | string> {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  // The answer is the same whether the address has an account: who may not open the accounts learns of none here.
  if (!mayOpen(context, '/admin/user/search'))
    return translate('Give the id of the account: your account may not look up e-mail addresses.');
  const row = await asSystem(() => readResults(context, 'auth-detail', { auth_slug: text }));
  return row ? Number(row.auth_id) : translate('There is no account {email}.', { email: text });
}

/** The page with the same filter, from another entry on. */
function toNextPage(params: SearchParams, before: unknown): string {
  const { before: _, ...rest } = params;
  return String(
    new URLSearchParams({ ...(rest as Record<string, string>), ...(before ? { before: String(before) } : {}) }),
  );
}

interface EntryPage {
  readonly rows: readonly Row[];
  readonly next: number | null;
  readonly message?: string | undefined;
  readonly isOff?: boolean;
}

async function find(context: Context, { person, ...params }: SearchParams): Promise<EntryPage> {
  const authId = await findPerson(context, person);
  if (typeof authId === 'string') return { rows: [], next: null, message: authId };
  const response = await emitEvent(context, 'history-search', { ...params, auth_id: authId });
  if (response === undefined) return { rows: [], next: null, isOff: true };
  if (response.isError()) return { rows: [], next: null, message: response.getMessage() ?? '' };
  return response.getResults() as EntryPage;
}

const toChoices = (known: readonly string[], chosen: string | undefined, toText: (name: string) => string) =>
  known.map((name) => ({ name, label: toText(name), isChosen: name === chosen }));

/** Lists who changed what, newest first, with a filter. */
export async function showHistory(context: Context, exchange: Exchange): Promise<void> {
  const { plan } = context;
  const params = readQuery(exchange, KEYS);
  const found = await find(context, params);
  if (found.message !== undefined) exchange.response.setStatus(422);
  const people = await readPeople(context, found.rows);
  const schemas = [...plan.model.schemas.values()].sort((a, b) => a.plural.localeCompare(b.plural));
  const data = {
    asked: params,
    isFiltered: Object.keys(params).some((key) => key !== 'before'),
    isFolded: Object.keys(params).every((key) => ['schema', 'id', 'before'].includes(key)),
    isOff: plan.model.settings.history.days === 0,
    days: plan.model.settings.history.days,
    message: found.message,
    schemas: [
      ...schemas.map(({ name, plural }) => ({ name, label: toLocalText(plural), isChosen: name === params.schema })),
      ...(params.schema?.includes('/') ? [{ name: params.schema, label: params.schema, isChosen: true }] : []),
    ],
    doors: toChoices(DOORS, params.door, toDoorText),
    actions: toChoices(ACTIONS, params.action, toActionText),
    rows: found.rows.map((row) => toEntryView(context, row, people)),
    newest: params.before === undefined ? undefined : toNextPage(params, undefined),
    next: found.next === null ? undefined : toNextPage(params, found.next),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('History'),
    template: 'admin/history/search',
    data,
    styles: ['form'],
  });
}
