import { inLocale } from '../../../core/text/translate.ts';
import { holdsFiles } from '../../../model/field/field-kind.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import type { ColumnModel, Model, SchemaModel } from '../../../model/model.ts';
import type { Access } from '../../../model/shape.ts';
import { listUploadCalls } from '../../../plan/call/upload-call.ts';
import type { Plan } from '../../../plan/feature.ts';
import { createPlainItem, listServedBatches } from '../batch.ts';
import { type Action, hasVersion } from '../call-errors.ts';
import { type CallFacts, listCallFacts, type Method, toCallFacts } from '../call-facts.ts';
import { toTag } from '../openapi/operation.ts';
import { createSampleBody, pickMethod } from '../sample/call-sample.ts';
import { createIds, type Ids, type StoredId } from './ids.ts';

/** An answer that is right although it is no success. */
interface Refusal {
  readonly status: number;
  readonly reason: string;
}

interface QueryPart {
  readonly name: string;
  readonly value: string;
  readonly description: string;
  /** False for what the request may have, but does not send. */
  readonly isSent: boolean;
}

/** A request of the collections, with variables as `{{name}}`. */
export interface CollectionRequest {
  readonly call: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly folder: string;
  readonly access: Access;
  readonly method: Method;
  readonly path: string;
  readonly query: readonly QueryPart[];
  /** JSON, but for variables that stand for numbers. */
  readonly body: string | undefined;
  /** For a form with one file: its field. */
  readonly file?: string;
  /** True if the call must name the version that it changes. */
  readonly needsVersion: boolean;
  /** Variable with the version of the row that it makes, reads or changes; undefined if it is about no row or many. */
  readonly version: string | undefined;
  /** True for a request that the last folder holds, because the others need its row. */
  readonly isLast: boolean;
  readonly stored: StoredId | undefined;
  readonly refusals: readonly Refusal[];
}

/** What the collections of a plan hold, in the order in which the requests work. */
export interface Collection {
  readonly title: string;
  readonly requests: readonly CollectionRequest[];
  /** Ids that no request surely keeps: people may have to set them. */
  readonly loose: readonly string[];
}

/** The order of requests on one schema. Each caller's link comes before the next caller's, with the unlink between. */
const ORDER: Readonly<Record<Action, number>> = {
  ...{ create: 0, search: 1, detail: 2, update: 3, link: 4, unlink: 4 },
  ...{ batch: 5, other: 6, remove: 7, restore: 8 },
};
/** Who reads without an own row comes after those who may write one. */
const BY_ACCESS: readonly Access[] = ['user', 'app', 'public'];

/** Schemas with those that a row of theirs must name first. */
function sortSchemas(model: Model): readonly string[] {
  const sorted = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (sorted.has(name) || path.includes(name)) return;
    const needed = model.schemas.get(name)?.row.keys.filter(({ isNullable }) => !isNullable) ?? [];
    for (const { target } of needed) visit(target, [...path, name]);
    sorted.add(name);
  };
  for (const name of [...model.schemas.keys()].sort()) visit(name, []);
  return [...sorted];
}

const isLast = ({ action }: CallFacts): boolean => action === 'remove' || action === 'restore';

function sortCalls(calls: readonly CallFacts[], model: Model): CallFacts[] {
  const schemas = sortSchemas(model);
  const toKey = (facts: CallFacts): readonly number[] => {
    const at = facts.schema === undefined ? schemas.length : schemas.indexOf(facts.schema.name);
    // What another row needs goes last.
    return [
      Number(isLast(facts)),
      isLast(facts) ? -at : at,
      ORDER[facts.action],
      BY_ACCESS.indexOf(facts.call.definition.access),
      Number(facts.action === 'unlink'),
    ];
  };
  return calls
    .map((facts, index) => ({ facts, key: [...toKey(facts), index] }))
    .sort((a, b) => a.key.map((part, at) => part - (b.key[at] ?? 0)).find((part) => part !== 0) ?? 0)
    .map(({ facts }) => facts);
}

/** The schema whose rows an id names: of a path's parameter, or of a foreign key of the body. */
function findTarget(name: string, schema: SchemaModel | undefined, model: Model): string | undefined {
  const key = schema?.row.keys.find(({ column }) => column === name);
  if (key) return key.target;
  const plain = name.replace(/_id_[12]$/, '_id');
  return [...model.schemas.values()].find(({ primary }) => primary === plain)?.name;
}

/** A value that no other row has, where the column's rules leave room for one. */
function toUnique({ isUnique, field }: ColumnModel): string | undefined {
  if (!isUnique || (field.validation ?? []).some(({ method }) => method !== 'required')) return undefined;
  if (field.type === 'email') return '{{$guid}}@example.org';
  return field.type === 'text' || field.type === 'slug' ? '{{$guid}}' : undefined;
}

/** A body with variables: ids of rows that earlier requests made, and what must be unique. */
function fillBody(value: Json, { facts, model, ids }: Filling): Json {
  const { schema, call } = facts;
  return Object.fromEntries(
    Object.entries(value).map(([name, sample]) => {
      const target = name.endsWith('_id') && typeof sample === 'number' ? findTarget(name, schema, model) : undefined;
      if (target !== undefined) return [name, `{{id:${ids.getVariable(call.definition.access, target)}}}`];
      const column = schema?.byName.get(name);
      return [name, (column && toUnique(column)) ?? sample];
    }),
  );
}

interface Filling {
  readonly facts: CallFacts;
  readonly model: Model;
  readonly ids: Ids;
}

/** The rows of a batch that are made; what changes rows would need the ids of more. */
function toBatch(sample: Json, filling: Filling): Json {
  const operations = Array.isArray(sample.operations) ? (sample.operations as Json[]) : [];
  const made = operations.filter(({ action }) => action === 'create');
  return {
    operations: made.map((each) => ({ ...each, values: fillBody((each.values ?? {}) as Json, filling) })),
  };
}

function toBody(filling: Filling, method: Method): string | undefined {
  const { facts } = filling;
  if (method === 'get' || facts.body.length === 0) return undefined;
  const sample = createSampleBody(facts);
  const filled = facts.action === 'batch' ? toBatch(sample, filling) : fillBody(sample, filling);
  return printBody(filled);
}

/** A body as text, in which ids are numbers. */
const printBody = (body: unknown): string => JSON.stringify(body, null, 2).replace(/"\{\{id:(\w+)\}\}"/g, '{{$1}}');

function toPath({ facts, model, ids }: Filling): string {
  const { call, schema, parameters } = facts;
  return call.path
    .split('/')
    .map((segment) => {
      const name = segment.startsWith(':') ? segment.slice(1) : undefined;
      if (name === undefined) return segment.replace(/\*+/g, 'path');
      const target = findTarget(name, schema, model);
      if (target !== undefined) return `{{${ids.getVariable(call.definition.access, target)}}}`;
      return encodeURIComponent(parameters.find((each) => each.name === name)?.sample ?? name);
    })
    .join('/');
}

function toQuery({ facts, model, ids }: Filling): QueryPart[] {
  const { schema, call } = facts;
  return facts.parameters
    .filter(({ place }) => place === 'query')
    .map(({ name, sample, description, isRequired }) => {
      const target = isRequired ? findTarget(name, schema, model) : undefined;
      const value = target === undefined ? sample : `{{${ids.getVariable(call.definition.access, target)}}}`;
      const isUsual = facts.action === 'search' && (name === 'limit' || name === 'sort');
      return { name, value, description, isSent: isRequired || (isUsual && sample !== '') };
    });
}

const hasNeededFile = ({ body, schema }: CallFacts): boolean =>
  body.some(({ isRequired, name }) => {
    const column = schema?.byName.get(name);
    return isRequired && column !== undefined && holdsFiles(column);
  });

/** Refusals that the collection cannot avoid, each with its reason. */
function listRefusals({ facts }: Filling, texts: readonly (string | undefined)[], ids: Ids): Refusal[] {
  const { schema, action, body, errors } = facts;
  if (action === 'other') {
    return errors
      .filter(({ status }) => [400, 404, 409, 422].includes(status))
      .map(({ status }) => ({ status, reason: 'only the code knows what it takes' }));
  }
  const variables = texts.flatMap((text) => [...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name));
  const isLoose = variables.some((name) => !ids.isSure(name));
  const isTaken = body.some(({ name }) => {
    const column = schema?.byName.get(name);
    return column?.isUnique === true && toUnique(column) === undefined;
  });
  const isRevised = action === 'create' || action === 'update';
  return [
    ...(isLoose ? [{ status: 404, reason: 'no row of that id is there' }] : []),
    ...(isLoose && action === 'create' ? [{ status: 422, reason: 'the row that it names is not there' }] : []),
    ...(action === 'link' ? [{ status: 409, reason: 'the other row belongs to another one already' }] : []),
    ...(isTaken && isRevised ? [{ status: 409, reason: 'another row has the value already' }] : []),
    ...(hasNeededFile(facts) && isRevised ? [{ status: 422, reason: 'it needs a file, which JSON cannot carry' }] : []),
  ];
}

function toVersion({ facts, ids }: Filling): string | undefined {
  const { schema, action, call } = facts;
  if (schema === undefined || !(action === 'create' || action === 'detail' || hasVersion(action))) return undefined;
  return `${ids.getVariable(call.definition.access, schema.name)}_version`;
}

function toRequest(facts: CallFacts, model: Model, ids: Ids): CollectionRequest {
  const { call, action } = facts;
  const { access, title, description, concurrency } = call.definition;
  const filling = { facts, model, ids };
  const method = pickMethod(facts);
  const [path, query, body] = [toPath(filling), toQuery(filling), toBody(filling, method)];
  const sent = query.filter(({ isSent }) => isSent).map(({ value }) => value);
  return {
    call: call.name,
    title: title ?? call.name,
    description,
    folder: toTag(facts),
    access,
    method,
    path,
    query,
    body,
    needsVersion: method !== 'get' && hasVersion(action) && concurrency === 'required',
    version: toVersion(filling),
    isLast: isLast(facts),
    stored: ids.findStored(facts),
    refusals: listRefusals(filling, [path, body, ...sent], ids),
  };
}

/** The calls of Treadle's own that no file defines: a batch of any calls, and an upload, of each kind of access. */
function listShared(plan: Plan, model: Model, ids: Ids): CollectionRequest[] {
  const toShared = (call: string, title: string, access: Access, path: string) => ({
    ...{ call, title, access, path, folder: access, method: 'post' as const, query: [], description: undefined },
    ...{ body: undefined, needsVersion: false, version: undefined, isLast: false, stored: undefined },
  });
  const batches = listServedBatches(plan).map((batch): CollectionRequest => {
    const { access, calls, path } = batch;
    const item = createPlainItem(batch, plan);
    const call = calls.get(String(item.call));
    const facts = call === undefined ? undefined : toCallFacts(call, plan);
    const body =
      facts === undefined || item.body === undefined
        ? {}
        : { body: fillBody(item.body as Json, { facts, model, ids }) };
    return {
      ...toShared(`${access}-batch`, 'Several writes in one transaction', access, path),
      body: printBody([{ ...item, ...body }]),
      refusals: facts === undefined ? [] : listRefusals({ facts, model, ids }, [], ids),
    };
  });
  const uploads = listUploadCalls(plan.calls, model).map(
    ({ name, access, path }): CollectionRequest => ({
      ...toShared(name, 'Upload a file', access, path),
      file: 'file',
      refusals: [{ status: 422, reason: 'choose a file first' }],
    }),
  );
  return [...batches, ...uploads];
}

/** The variables of versions that a request needs. */
export const listVersions = (requests: readonly CollectionRequest[]): ReadonlySet<string> =>
  new Set(requests.flatMap(({ needsVersion, version }) => (needsVersion && version !== undefined ? [version] : [])));

/** The requests of a plan's API with what makes each of them work, in English, because programs and files keep them. */
export const makeCollection = (plan: Plan): Collection =>
  inLocale(undefined, () => {
    const { model } = plan;
    const calls = sortCalls(listCallFacts(plan), model);
    const ids = createIds(calls, model);
    const own = calls.map((facts) => toRequest(facts, model, ids));
    const last = own.filter((request) => request.isLast);
    const requests = [...own.filter((request) => !request.isLast), ...listShared(plan, model, ids), ...last];
    const named = requests.flatMap(({ path, body, query }) =>
      [path, body, ...query.map(({ value }) => value)].flatMap((text) => [...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)]),
    );
    const loose = [...new Set(named.map(([, name = '']) => name))].filter((name) => !ids.isSure(name)).sort();
    return { title: `${model.settings.name} API`, requests, loose };
  });
