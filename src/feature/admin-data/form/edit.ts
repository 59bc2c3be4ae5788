import { putBasePath, toBasePath } from '../../../core/text/base-path.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { dropMarked, editList, type FormValues } from '../../../form/edit-list.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { toRowPath } from './choice.ts';
import { findUndecided } from './conflict.ts';
import { showForm } from './form-page.ts';
import { createDefaults, type FormState, listEdited, readBases, toBases } from './form-state.ts';
import { openForm, openRow } from './open.ts';
import { saveChange, saveNew } from './save.ts';

const readPosted = ({ request }: Exchange): FormValues => dropMarked(request.getPost() as FormValues);

/** Leads on after a save: the script that shows the progress of files gets the address, so that it keeps the message. */
function leave({ services }: Context, { request, response }: Exchange, path: string): void {
  if (request.getHeader('accept') !== 'application/json') response.setRedirect(path);
  else
    response
      .addHeader('content-type', 'application/json')
      .setContent(JSON.stringify({ location: putBasePath(toBasePath(services.baseUrl()), path) }));
}

/** Shows the form again if a button asked for something besides saving: another item, a search, a preview. */
async function answerButton(state: FormState): Promise<boolean> {
  const { posted = {} } = state;
  const button = typeof posted._do === 'string' ? posted._do : '';
  if (button === '') return false;
  const edited = editList(posted, button);
  const [verb, name] = button.split(' ');
  await showForm({ ...state, posted: edited ?? posted }, verb === 'preview' ? { preview: name } : {});
  return true;
}

/** Values of a new row: defaults, and what the address names, such as the row to relate it with. */
function createStartValues(
  context: Context,
  exchange: Exchange,
  state: Pick<FormState, 'schema' | 'columns' | 'links'>,
  row?: Row,
): Row {
  const names = [...state.columns.map(({ name }) => name), ...state.links.map(({ key }) => key.column)];
  const given = Object.entries(exchange.request.getGet() as Row).filter(
    ([name, value]) => names.includes(name) && typeof value === 'string',
  );
  return { ...(row ?? createDefaults(context, state.schema)), ...Object.fromEntries(given) };
}

/** A form for a new row, empty or with the values of another one. */
async function openNew(context: Context, exchange: Exchange, isCopy: boolean): Promise<FormState | undefined> {
  const open = openForm(context, exchange, 'create');
  const copied = open && isCopy ? await openRow(context, exchange, 'detail') : undefined;
  if (!open || (isCopy && !copied)) return undefined;
  const edited = listEdited(context, open.schema, 'create');
  const start = createStartValues(context, exchange, { ...open, ...edited }, copied?.row);
  const posted = exchange.request.isMethod('POST') ? readPosted(exchange) : undefined;
  return { ...open, ...edited, action: 'create', id: undefined, version: '', start, posted, bases: {} };
}

const showNew = (isCopy: boolean) =>
  async function showNewForm(context: Context, exchange: Exchange): Promise<void> {
    const state = await openNew(context, exchange, isCopy);
    if (state) await showForm(state);
  };

const postNew = (isCopy: boolean) =>
  async function postNewForm(context: Context, exchange: Exchange): Promise<void> {
    const state = await openNew(context, exchange, isCopy);
    if (!state || (await answerButton(state))) return;
    const saved = await saveNew(state);
    if ('conflict' in saved) return;
    if ('fault' in saved) return showForm(state, saved);
    const { schema } = state;
    flash(exchange, translate('{singular} was created.', { singular: toLocalText(schema.singular) }));
    const isMore = state.posted?._then === 'create';
    leave(context, exchange, isMore ? exchange.request.getPath('string') : toRowPath(schema, saved.id));
  };

export const showCreate = showNew(false);
export const postCreate = postNew(false);
export const showCopy = showNew(true);
export const postCopy = postNew(true);

/** The form of a row, with what was posted. */
async function openChange(context: Context, exchange: Exchange): Promise<FormState | undefined> {
  const open = await openRow(context, exchange, 'update');
  if (!open) return undefined;
  const { id, version, row } = open;
  const edited = listEdited(context, open.schema, 'update');
  const base = { ...open, ...edited, action: 'update', id, start: row } as const;
  if (!exchange.request.isMethod('POST')) return { ...base, version, posted: undefined, bases: toBases(edited, row) };
  const posted = readPosted(exchange);
  const sent = typeof posted._version === 'string' ? posted._version : version;
  return { ...base, version: sent, posted, bases: { ...toBases(edited, row), ...readBases(posted) } };
}

export async function showUpdate(context: Context, exchange: Exchange): Promise<void> {
  const state = await openChange(context, exchange);
  if (state) await showForm(state);
}

const toTexts = (value: unknown): string[] =>
  (typeof value === 'object' && value !== null ? Object.values(value) : [value]).filter(
    (item) => typeof item === 'string',
  );

export async function postUpdate(context: Context, exchange: Exchange): Promise<void> {
  const state = await openChange(context, exchange);
  if (!state || (await answerButton(state))) return;
  const { posted = {}, schema, id = 0 } = state;
  const taken = isRecord(posted._take) ? posted._take : {};
  const undecided = findUndecided(state, toTexts(posted._clash), taken);
  if (undecided) return showForm(state, { conflict: undecided });
  const skipped = new Set(Object.keys(taken).filter((name) => taken[name] === 'theirs'));
  const saved = await saveChange(state, id, skipped);
  if ('conflict' in saved) return showForm(saved.conflict.state, { conflict: saved.conflict.view });
  if ('fault' in saved) return showForm(state, saved);
  flash(exchange, saved.isChanged ? translate('Saved.') : translate('Nothing was changed.'));
  leave(context, exchange, toRowPath(schema, id));
}
