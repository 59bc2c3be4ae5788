import type { Actor } from '../../../access/grant.ts';
import { findReadable, getAccess } from '../../../core/access.ts';
import { toObject } from '../../../core/record.ts';
import type { Response } from '../../../core/request/response.ts';
import { noteRule, type RuleNote } from '../../../core/text/rule-note.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { type ChildRelation, listChildRelations, MOST_ITEMS } from '../../../plan/call/batch.ts';
import { listCallScopes } from '../../../plan/call/scope.ts';
import type { CallPlan, Context } from '../../../plan/feature.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import { readColumns } from '../../../store/write/row-sql.ts';
import type { CallExchange, CallStep } from '../call-step.ts';
import { compileCallTransaction } from '../call-transaction.ts';
import { refuse } from '../errors.ts';
import { type Child, countChildren, listSentRelations } from './child.ts';
import { tellFailure } from './failure.ts';
import { type Item, ItemRequest, isFailed, runItem } from './item.ts';

const ID = /^[1-9]\d{0,14}$/;

/** What is wrong with one child; undefined for a valid one. */
function findChildError(
  given: unknown,
  relation: ChildRelation,
  call: CallPlan,
): readonly [key: string, text: string, rule: string] | undefined {
  const { target, key, creates, updates } = relation;
  if (!isRecord(given)) return ['', 'A child must be an object of columns.', 'value'];
  const { access, event } = call.definition;
  const isNamed = Object.hasOwn(given, target.primary);
  if (Object.hasOwn(given, key))
    return [key, translate('"{key}" is that of the row around it. Leave it out.', { key }), 'read_only'];
  if (isNamed && event === 'system-model-create')
    return [
      target.primary,
      translate('The children of a new row are new. Leave out "{key}".', { key: target.primary }),
      'read_only',
    ];
  if (isNamed && !ID.test(String(given[target.primary])))
    return [target.primary, translate('{row} should be valid', { row: target.singular }), 'value'];
  const values = { access, schema: target.name };
  if (isNamed && updates.length === 0)
    return ['', translate('No {access} call changes {schema}.', values), 'read_only'];
  if (!isNamed && creates.length === 0)
    return ['', translate('No {access} call creates {schema}.', values), 'read_only'];
  return undefined;
}

/** Reads the children of a body. Undefined if one is invalid: then the request is refused, with each error at its place. */
function readChildren(
  relations: readonly ChildRelation[],
  call: CallPlan,
  { request, response }: CallExchange,
): Child[] | undefined {
  const posted = request.getPost() as Readonly<Record<string, unknown>>;
  const errors: string[] = [];
  const tell = (path: readonly string[], text: string, note: RuleNote): void => {
    response.addValidation(...path, noteRule(text, note));
    errors.push(`${path.join('.')}: ${text}`);
  };
  const children = relations.flatMap((relation): Child[] => {
    const { name, target } = relation;
    if (!Object.hasOwn(posted, name)) return [];
    const list = posted[name];
    if (!Array.isArray(list)) {
      tell([name], translate('"{name}" must be a list of objects.', { name }), { rule: 'value' });
      return [];
    }
    return list.slice(0, MOST_ITEMS).flatMap((given: unknown, index): Child[] => {
      const error = findChildError(given, relation, call);
      if (error) tell([name, String(index), ...(error[0] === '' ? [] : [error[0]])], error[1], { rule: error[2] });
      if (error || !isRecord(given)) return [];
      const { [target.primary]: id, ...values } = given;
      return [{ relation, index, id: id === undefined ? undefined : Number(id), values }];
    });
  });
  if (countChildren(relations, posted) > MOST_ITEMS)
    tell([relations[0]?.name ?? ''], translate('A row brings at most {most} children.', { most: MOST_ITEMS }), {
      rule: 'limit',
      params: { max: MOST_ITEMS },
    });
  const [first] = errors;
  if (first === undefined) return children;
  refuse(response, { status: 400, message: first, code: 'REST_CHILDREN_INVALID' });
  return undefined;
}

/** Whether a caller may use a call, as its step `scope` judges it. */
function holds({ scopes }: Actor, call: CallPlan, context: Context): boolean {
  const { access } = call.definition;
  const listing = listCallScopes(call, context.plan.model);
  if (access === 'public' || (access === 'app' && listing.length === 0)) return true;
  return listing.some((slug) => scopes.includes(slug));
}

interface Family {
  readonly context: Context;
  readonly exchange: CallExchange;
  /** Of the parent. */
  readonly id: number;
}

/** The item of a child. The call is one that the caller holds; without one the first refuses it, as it would alone. */
function toItem({ relation, id, values }: Child, { context, exchange, id: parent }: Family): Item {
  const { key, target, creates, updates } = relation;
  const calls = id === undefined ? creates : updates;
  const call = calls.find((one) => holds(exchange.caller.actor, one, context)) ?? (calls[0] as CallPlan);
  const named: Readonly<Record<string, number>> = {
    [key]: parent,
    ...(id === undefined ? {} : { [target.primary]: id }),
  };
  const inPath = Object.entries(named).filter(([name]) => call.parameters.includes(name));
  // A child that is there already belongs to its parent, so its key is not written again.
  const inBody = Object.entries(named).filter(
    ([name]) => !call.parameters.includes(name) && (id === undefined || name !== key),
  );
  return {
    call,
    parameters: Object.fromEntries(inPath.map(([name, value]) => [name, String(value)])),
    body: { ...values, ...Object.fromEntries(inBody) },
    isChild: true,
  };
}

/** Whether a child that is to be changed is one of its parent. Locks it until the transaction ends. */
async function isOfParent({ relation: { target, key }, id }: Child, { context, id: parent }: Family): Promise<boolean> {
  if (id === undefined) return true;
  const by = { column: target.primary, value: id, isLocking: true };
  const row = await readColumns(context.services.database, target, by, [key]);
  return row !== undefined && Number(row[key]) === parent;
}

/** Writes one child. Gives its row; undefined if it failed: then the request is refused. */
async function writeChild(child: Child, family: Family): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { relation, index } = child;
  const { response, request, caller } = family.exchange;
  const location = {
    at: [relation.name, String(index)],
    toColumn: (column: string) => [column],
    name: `${relation.name}[${index}]`,
  };
  if (!(await isOfParent(child, family))) {
    const { singular, primary } = relation.target;
    const message = translate('{singular} {id} does not exist.', { singular: toLocalText(singular), id: child.id });
    noteRule(message, { rule: 'reference', params: { id: child.id } });
    response.addValidation(...location.at, primary, message);
    response.refuse({ status: 404, code: 'ROW_MISSING', message: `${location.name}: ${message}` });
    return undefined;
  }
  const item = toItem(child, family);
  const done = await runItem(family.context, { request, caller }, item);
  if (isFailed(done)) {
    tellFailure(response, done, item, location);
    return undefined;
  }
  const { original: _, ...row } = done.getResults<Readonly<Record<string, unknown>>>();
  return row;
}

/** The rows of the children, by relation; undefined if one failed: then the request is refused. */
async function writeChildren(children: readonly Child[], family: Family) {
  const lists = new Map<string, unknown[]>();
  for (const child of children) {
    const row = await writeChild(child, family);
    if (row === undefined) return undefined;
    const { name } = child.relation;
    lists.set(name, [...(lists.get(name) ?? []), row]);
  }
  return lists;
}

const addLists = (response: Response, lists: ReadonlyMap<string, readonly unknown[]>): void => {
  // Left out with Prefer: return=minimal.
  if (!response.hasResults()) return;
  for (const [name, rows] of lists) response.setResults(name, rows);
};

function refuseDeeper(response: Response, relations: readonly ChildRelation[]): false {
  const names = relations.map(({ name }) => name).join(', ');
  const message = translate(
    'A child brings no children of its own: write {names} in a request of their own, or in a batch.',
    { names },
  );
  return refuse(response, { status: 400, message, code: 'REST_CHILDREN_DEEP' });
}

/** Refuses files of a form that are in children, which are written as JSON would bring them. True if there are any. */
function refuseFiles(relations: readonly ChildRelation[], { request, response }: CallExchange): boolean {
  const sent = request.hasFiles() ? listSentRelations(relations, toObject(request.getFiles())) : [];
  const [first] = sent;
  if (first === undefined) return false;
  const message = translate(
    'A child takes no file from the form. Upload the file first and send its address, or write the child in a request of its own.',
  );
  for (const { name } of sent) response.addValidation(name, message);
  refuse(response, { status: 400, message: `${first.name}: ${message}`, code: 'REST_CHILDREN_INVALID' });
  return true;
}

/**
 * Compiles the two steps of a call whose body may bring children: `together` opens the transaction and reads them, `children`
 * writes them once their parent is there. Undefined for other calls.
 */
export function compileChildren(
  call: CallPlan,
  context: Context,
): Record<'together' | 'children', CallStep> | undefined {
  const relations = listChildRelations(call, context.plan);
  const schema = call.schema === undefined ? undefined : context.plan.model.schemas.get(call.schema);
  if (schema === undefined || relations.length === 0) return undefined;
  const unit = compileCallTransaction(call, context);
  return {
    together: {
      name: 'together',
      run(x, next) {
        const { request, response } = x;
        if (refuseFiles(relations, x)) return false;
        if (listSentRelations(relations, toObject(request.getPost())).length === 0) return next(x);
        if (request instanceof ItemRequest && request.isChild) return refuseDeeper(response, relations);
        const children = readChildren(relations, call, x);
        if (children === undefined) return false;
        for (const { name } of relations) request.removeStage(name);
        x.children = children;
        return unit(request, response, async () => next(x));
      },
    },
    children: {
      name: 'children',
      run: (x, next) =>
        x.children === undefined || x.response.isError() ? next(x) : completeFamily(x, next, context, schema),
    },
  };
}

async function completeFamily(
  x: CallExchange,
  next: (x: CallExchange) => unknown,
  context: Context,
  schema: SchemaModel,
): Promise<unknown> {
  const id = Number(x.response.getResults(schema.primary));
  if (!Number.isSafeInteger(id)) {
    const message =
      'The row that the children belong to is not in the answer, because the code of the project changed it.';
    refuse(x.response, { status: 400, message, code: 'REST_ITEM_ANSWER' });
    return next(x);
  }
  const lists = await writeChildren(x.children ?? [], { context, exchange: x, id });
  if (lists !== undefined) await computeAgain(context, schema, x, id);
  const done = next(x);
  if (lists !== undefined) addLists(x.response, lists);
  return done;
}

/** Shows what is computed of the children as it is now: the row was read before they were written. */
async function computeAgain(context: Context, schema: SchemaModel, x: CallExchange, id: number): Promise<void> {
  const written = new Set(x.children?.map(({ relation }) => relation.target.name));
  const names = schema.columns
    .filter(({ name, computed }) => {
      const isOfChildren = computed?.related.some((reads) => written.has(reads.schema)) === true;
      return isOfChildren && x.response.getResults(name) !== undefined;
    })
    .map(({ name }) => name);
  if (names.length === 0) return;
  const access = getAccess();
  const grant = access.grant(schema.name, 'detail');
  const options = { rows: grant?.rows, read: findReadable(access, schema.name), see: access.related, relations: [] };
  const by = { column: schema.primary, value: id };
  const row =
    grant && (await getSearcher(context.plan.model).detail(context.services.database, schema.name, by, options));
  for (const name of names) if (row?.[name] !== undefined) x.response.setResults(name, row[name]);
}
