import { diffWordsWithSpace } from 'diff';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Proposal } from '../../../edit/proposal.ts';
import { readFormat } from '../../../model/format/field-format.ts';
import { toFormatted } from '../../../model/format/format.ts';
import { toPlain } from '../../../model/format/format-text.ts';
import type { ColumnModel } from '../../../model/model.ts';
import { emitEvent } from '../../../page/emit-event.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import { mayChangeFiles } from '../access.ts';
import { findSaveRefusal, type SaveResult, saveProposal } from '../save.ts';
import { requireSaveProof } from '../submit.ts';
import { readPeople, toEntryView, toLabel } from './entry-view.ts';
import { toActionText } from './words.ts';

interface FileChange {
  readonly file: string;
  readonly before?: string;
  readonly after?: string;
}

/** The file of an entry of a definition, as it was before and after the change; undefined if it has none. */
function findFile({ kind, changes }: Row): FileChange | undefined {
  const [file, change] = Object.entries(changes as Readonly<Record<string, readonly unknown[]>>)[0] ?? [];
  if (kind !== 'definition' || file === undefined || change?.length !== 2) return undefined;
  const [before, after] = change;
  return {
    file,
    ...(typeof before === 'string' ? { before } : {}),
    ...(typeof after === 'string' ? { after } : {}),
  };
}

const toProposal = ({ file, before, after }: FileChange): Proposal => ({
  files: [{ file, before: after, text: before }],
  left: [],
});

/** Whether this process may put back the file of an entry, and the viewer may change it. */
async function mayPutBack(context: Context, entry: Row): Promise<boolean> {
  const found = findFile(entry);
  return (
    found !== undefined && mayChangeFiles(context, [found.file]) && !(await findSaveRefusal(context, toProposal(found)))
  );
}

function toErrorText(result: SaveResult, file: string): string | undefined {
  if (result.state === 'saved' || result.state === 'unchanged') return undefined;
  if (result.state === 'refused') return result.message;
  if (result.state === 'conflict') return translate('{file} changed since, so this save cannot be undone.', { file });
  if (result.state === 'broken') return result.problems[0]?.message ?? translate('It failed.');
  return translate('The database would lose data, or needs a value: change {file} on its own page.', { file });
}

/** Puts the file of an entry back as it was before the change. Gives why it could not. */
async function putBack(context: Context, entry: Row): Promise<string | undefined> {
  const found = findFile(entry);
  if (found === undefined || !mayChangeFiles(context, [found.file]))
    return translate('Your account may not open this.');
  const { file } = found;
  const title = translate('Undid: {title}', { title: `${toActionText(entry.action)} ${file}` });
  return toErrorText(await saveProposal(context, { proposal: toProposal(found), title }), file);
}

/** A piece of a text; `isChanged` if the other side does not have it. */
interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A value on each side, in pieces. */
interface ValueComparison {
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
}

/** Characters of a text that are compared by words. Longer ones are shown whole. */
const MOST_COMPARED = 50_000;
/** Milliseconds for a comparison. */
const TIME = 300;

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : toPlain(value);
};

const whole = (text: string, isChanged: boolean): Piece[] => (text === '' ? [] : [{ text, isChanged }]);

/** Compares two values by words, so that a page can mark what changed inside a long text. */
function compareValues(before: unknown, after: unknown): ValueComparison {
  const [from, to] = [toText(before), toText(after)];
  const isLong = from.length + to.length > MOST_COMPARED;
  const parts = from === '' || to === '' || isLong ? undefined : diffWordsWithSpace(from, to, { timeout: TIME });
  if (parts === undefined) return { before: whole(from, false), after: whole(to, false) };
  return {
    before: parts
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, isChanged: removed === true })),
    after: parts
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, isChanged: added === true })),
  };
}

/** The entry that the path names; without it the answer is the page for 404. */
async function findEntry(context: Context, { request, response }: Exchange): Promise<Row | undefined> {
  const found = await emitEvent(context, 'history-detail', { history_id: request.getStage('history_id') });
  if (found && !found.isError()) return found.getResults<Row>();
  response.setStatus(404);
  return undefined;
}

/** A decimal as pages show it; other values as they are stored. */
function toShown(column: ColumnModel | undefined, value: unknown): unknown {
  if (column === undefined || column.field.type !== 'decimal') return value;
  const { format, parameters } = readFormat(column.field, undefined);
  return toFormatted(format, value, parameters);
}

function listFields(context: Context, { kind, subject, changes }: Row) {
  const schema = kind === 'definition' ? undefined : context.plan.model.schemas.get(String(subject));
  return Object.entries(changes as Readonly<Record<string, readonly unknown[]>>).map(([name, change]) => {
    const [before, after] = change.map((value) => toShown(schema?.byName.get(name), value));
    return {
      label: kind === 'definition' ? name : toLabel(context, String(subject), name),
      isSecret: change.length === 0,
      ...compareValues(before, after),
    };
  });
}

async function showEntryPage(context: Context, exchange: Exchange, entry: Row, message?: string): Promise<void> {
  const { plan } = context;
  const schema = plan.model.schemas.get(String(entry.subject));
  const isRow = entry.kind === 'row' && entry.row_id !== null && schema !== undefined;
  const view = toEntryView(context, entry, await readPeople(context, [entry]));
  const isChange = ['update', 'remove', 'restore'].includes(String(entry.action));
  const data = {
    ...view,
    message,
    fields: listFields(context, entry),
    action: `${view.href}/revert`,
    rowHistory: isRow ? `/admin/history?schema=${entry.subject}&id=${entry.row_id}` : undefined,
    mayUndo: isRow && isChange,
    mayPutBack: await mayPutBack(context, entry),
    mayReturn: isRow && (entry.action === 'create' || entry.action === 'update' || entry.action === 'restore'),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: `${view.actionText}: ${view.text}`,
    template: 'admin/history/entry',
    data,
    crumbs: [{ label: translate('History'), path: '/admin/history' }],
    styles: ['form'],
    current: '/admin/history',
  });
}

/** Shows one change: who, when, from where, and each column before and after. */
export async function showEntry(context: Context, exchange: Exchange): Promise<void> {
  const entry = await findEntry(context, exchange);
  if (entry) await showEntryPage(context, exchange, entry);
}

async function postPutBack(context: Context, exchange: Exchange, entry: Row): Promise<void> {
  const { response } = exchange;
  if (!requireSaveProof(context, { ...exchange, home: `/admin/history/${String(entry.history_id)}` })) return;
  const error = await putBack(context, entry);
  if (error !== undefined) {
    response.setStatus(422);
    return showEntryPage(context, exchange, entry, error);
  }
  flash(exchange, translate('The file is as it was. The history has this change too.'));
  response.setRedirect('/admin/history');
}

/** Makes the row what it was before or after the change, or the file of a definition what it was before. */
export async function postRevert(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const entry = await findEntry(context, exchange);
  if (!entry) return;
  if (entry.kind === 'definition') return postPutBack(context, exchange, entry);
  const version = request.getPost('version') === 'after' ? 'after' : 'before';
  const reverted = await emitEvent(context, 'history-revert', { history_id: entry.history_id, version });
  if (reverted === undefined || reverted.isError()) {
    const status = reverted?.getStatus() ?? 422;
    await showEntryPage(context, exchange, entry, reverted?.getMessage() ?? '');
    response.setStatus(status >= 400 ? status : 422);
    return;
  }
  const { schema, id } = reverted.getResults<Row>();
  flash(exchange, translate('The row is as it was. The history has this change too.'));
  response.setRedirect(`/admin/history?schema=${schema}&id=${id}`);
}
