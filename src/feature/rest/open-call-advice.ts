import { findShownTo } from '../../access/reach.ts';
import type { Problem } from '../../core/errors.ts';
import type { ColumnModel, Model, SchemaModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import type { CallPlan, Facts } from '../../plan/feature.ts';
import { MOST_LEVELS } from '../../store/read/parse/expand.ts';
import { isChangingEvent } from './authenticate.ts';

const READS = /^system-model-(?:search|detail)$/;
/** Events about accounts, apps, sessions, deliveries, jobs, mails and changes. */
const RECORDS = /^(auth|app|grant|session|oauth|webhook|job|mail|history)-/;
const SCHEMA_KEYS = /^system-relation-/;

/** Who can use a call without anybody's approval; undefined if nobody can. */
function findStranger({ definition: { access }, scopes }: CallPlan, { settings, scopes: all }: Model) {
  if (access === 'public') return 'Anybody';
  if (access !== 'app' || !settings.api || !settings.auth.signup) return undefined;
  const listing = scopes.flatMap((slug) => all.get(slug)?.definition ?? []).filter((scope) => scope.access === 'app');
  const isHeld = listing.length > 0 && listing.every(({ approval }) => approval === true);
  return isHeld ? undefined : 'Anybody who signs up and registers an app';
}

/** The rows that a call reaches, in words. */
function toRows({ definition: { event, parameters = {} } }: CallPlan): string {
  const keys = SCHEMA_KEYS.test(event) ? ['schema1', 'schema2'] : ['schema'];
  const named = keys.map((key) => parameters[key]).filter((name) => typeof name === 'string');
  if (named.length < keys.length) return 'rows of any schema, since the request chooses it';
  return `rows of ${named.map((name) => `"${name}"`).join(' and ')}`;
}

const isPersonal = ({ field }: ColumnModel): boolean => field.type === 'email' || field.type === 'password';

/** The schemas that a call shows: its own, those that `expand` reaches, and the 1:1 of each, which are part of the rows. */
function listSeen(schema: SchemaModel, { schemas }: Model): Set<SchemaModel> {
  const listTargets = ({ relations }: SchemaModel, kind?: string): SchemaModel[] =>
    relations
      .filter((relation) => kind === undefined || relation.kind === kind)
      .flatMap(({ target }) => schemas.get(target) ?? []);
  const reached = new Set([schema]);
  for (let level = 0; level < MOST_LEVELS; level += 1)
    for (const one of [...reached]) for (const target of listTargets(one)) reached.add(target);
  return new Set([...reached, ...[...reached].flatMap((one) => listTargets(one, '1:1'))]);
}

/** The private data that a read shows, in words. */
function findPrivate(call: CallPlan, model: Model): string | undefined {
  const { event, parameters = {} } = call.definition;
  const [, record] = RECORDS.exec(event) ?? [];
  if (record !== undefined)
    return record === 'auth' ? 'accounts with their e-mail addresses' : `what "${event}" returns`;
  if (!READS.test(event)) return undefined;
  const schema = call.schema === undefined ? undefined : model.schemas.get(call.schema);
  if (!schema) return parameters.schema === undefined ? toRows(call) : undefined;
  const fields = [parameters.fields ?? []].flat().flatMap((names) =>
    String(names)
      .split(',')
      .map((name) => name.trim()),
  );
  // A level of which no column is named shows all of them.
  const isWhole = fields.every((name) => name.includes('.'));
  const isShown = ({ name }: ColumnModel): boolean =>
    isWhole || fields.some((field) => field === name || field.endsWith(`.${name}`));
  const { access } = call.definition;
  const action = event === 'system-model-search' ? 'search' : 'detail';
  const own = findShownTo(model, access, schema.name, action);
  // The rules refuse the call to strangers.
  if (own === undefined) return undefined;
  for (const seen of listSeen(schema, model)) {
    const shown = seen === schema ? own : findShownTo(model, access, seen.name, 'detail');
    const isRead = ({ name }: ColumnModel): boolean => shown !== undefined && shown.some?.has(name) !== false;
    const column = seen.columns.find((one) => isPersonal(one) && isShown(one) && isRead(one));
    if (column) return `rows of "${seen.name}", which has the column "${column.name}"`;
  }
  // Profiles are public by purpose.
  const isOwned = schema.name !== 'profile' && findOwnerColumn(schema) !== undefined;
  return isOwned && own.isEveryRow ? `rows of "${schema.name}" of every user` : undefined;
}

const isWrite = (event: string): boolean =>
  isChangingEvent(event) || (RECORDS.test(event) && !/-(?:search|detail|figures|traffic)$/.test(event));

/**
 * Advice on calls by which strangers can change data or see private data. `"open": true` in the definition
 * silences it.
 */
export function adviseOpenCalls({ calls, model }: Facts): Problem[] {
  return calls.flatMap((call) => {
    const { definition, name, file, handler } = call;
    const who = handler || definition.open ? undefined : findStranger(call, model);
    if (who === undefined) return [];
    const remedy =
      definition.access === 'public'
        ? 'Make it a user call, or an app call in an app scope with "approval": true.'
        : `List "${name}" in an app scope with "approval": true, and in no other scope.`;
    const hint = `${remedy} If this is intended, set "open": true in this file.`;
    const base = { file, path: 'access', hint, severity: 'advice' } as const;
    if (isWrite(definition.event)) {
      const what = RECORDS.test(definition.event) ? `cause ${definition.event}` : `change ${toRows(call)}`;
      return [{ ...base, code: 'REST_WRITE_OPEN', message: `${who} can ${what} with the call "${name}".` }];
    }
    const what = findPrivate(call, model);
    return what === undefined
      ? []
      : [{ ...base, code: 'REST_ROWS_OPEN', message: `${who} can see ${what} with the call "${name}".` }];
  });
}
