import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { mayOpen } from '../../../page/guard.ts';
import type { Context } from '../../../plan/feature.ts';
import { type AccountName, readAccountNames } from './account-names.ts';
import { toActionText, toDoorText } from './words.ts';

const MODEL = '/admin/system/model';

/** Definition kinds with an admin page. */
const BESIDE: ReadonlySet<string> = new Set(['rest', 'scope', 'webhook', 'app', 'role']);

function toDefinitionPath(subject: string): string {
  const [kind = '', name = ''] = subject.split('/');
  if (kind === 'settings') return '/admin/system/settings';
  return BESIDE.has(kind) ? `${MODEL}/${kind}/update/${name}` : `/admin/system/${kind}/update/${name}`;
}

/** Page of what an entry is about; undefined if it has none, or is not open. */
function findPath(context: Context, { kind, subject, row_id: rowId }: Row): string | undefined {
  const name = String(subject);
  const isThere = kind === 'definition' || context.plan.model.schemas.has(name);
  const path =
    kind === 'definition'
      ? toDefinitionPath(name)
      : rowId === null
        ? `${MODEL}/${name}/search`
        : `${MODEL}/${name}/detail/${rowId}`;
  return isThere && mayOpen(context, path) ? path : undefined;
}

function describeSubject({ plan }: Context, { kind, subject, row_id: rowId }: Row): string {
  const schema = plan.model.schemas.get(String(subject));
  if (kind === 'definition') return String(subject);
  const label = (rowId === null ? schema?.plural : schema?.singular) ?? String(subject);
  return rowId === null ? toLocalText(label) : `${toLocalText(label)} ${rowId}`;
}

/** What an entry has besides columns, in words. */
function describeDetails(context: Context, { action, details }: Row): string {
  if (details === null || typeof details !== 'object') return '';
  const { schema, id, removed, created, updated, title } = details as Row;
  if (typeof title === 'string') return title;
  if (action === 'import')
    return translate('{created} created, {updated} changed', { created: Number(created), updated: Number(updated) });
  const other = toLocalText(context.plan.model.schemas.get(String(schema))?.singular ?? String(schema ?? ''));
  if (removed !== undefined) return translate('{other}: {count} links', { other, count: Number(removed) });
  return schema === undefined ? '' : `${other} ${id}`;
}

/** Name of a column as forms have it. */
export function toLabel({ plan }: Context, subject: string, column: string): string {
  const schema = plan.model.schemas.get(subject);
  const key = schema?.row.keys.find((each) => each.column === column);
  return toLocalText(
    schema?.byName.get(column)?.label ?? plan.model.schemas.get(key?.target ?? '')?.singular ?? column,
  );
}

function toWho(entry: Row, people: ReadonlyMap<number, AccountName>) {
  if (entry.auth_id === null) {
    // Whoever ran a command has no account here.
    const { user } = (entry.details ?? {}) as Row;
    return typeof user === 'string' ? { who: user } : {};
  }
  const id = Number(entry.auth_id);
  const person = people.get(id);
  return { who: person?.name ?? translate('Account {id}', { id }), email: person?.email, authId: id };
}

/** An entry as templates show it. */
export function toEntryView(context: Context, entry: Row, people: ReadonlyMap<number, AccountName>) {
  const subject = String(entry.subject);
  const columns = (entry.columns as readonly string[]).map((name) =>
    entry.kind === 'definition' ? name : toLabel(context, subject, name),
  );
  return {
    ...entry,
    ...toWho(entry, people),
    actionText: toActionText(entry.action),
    doorText: toDoorText(entry.door),
    text: describeSubject(context, entry),
    path: findPath(context, entry),
    detail: describeDetails(context, entry),
    columns: columns.join(', '),
    href: `/admin/history/${entry.history_id}`,
  };
}

/** The people of entries. */
export const readPeople = (context: Context, entries: readonly Row[]): Promise<ReadonlyMap<number, AccountName>> =>
  readAccountNames(
    context,
    entries.flatMap(({ auth_id: id }) => (id === null ? [] : [Number(id)])),
  );
