import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { noteRule, type RuleNote } from '../../../core/text/rule-note.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import { translate } from '../../../core/text/translate.ts';
import { findRoundedNumber } from '../../../model/field/exact-number.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { type Batch, findBatchObstacle, listChildRelations, MOST_ITEMS } from '../../../plan/call/batch.ts';
import type { CallPlan, Context } from '../../../plan/feature.ts';
import { listAllExactKeys } from '../../../rows/column.ts';
import { checkJsonType, isJson, refuseRounded } from '../body-check.ts';
import { refuse } from '../errors.ts';
import { countChildren } from './child.ts';
import { isReference, readReference, replaceReferences } from './reference.ts';

type Values = Readonly<Record<string, unknown>>;

/** One item of a batch, as it was sent; its references are still in it. */
export interface BatchItem {
  readonly id: string | undefined;
  readonly call: CallPlan;
  readonly path: Values;
  readonly body: Values | undefined;
  readonly ifMatch: string | undefined;
}

/** The items of a request, and where they are in its body. */
export interface ItemList {
  /** Keys of the list in the body: none for a list alone. */
  readonly at: readonly string[];
  /** Undefined if the body is no list. */
  readonly items: readonly unknown[] | undefined;
}

const KEYS = ['id', 'call', 'path', 'body', 'ifMatch'];
const ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Most errors that an answer names. */
const MOST_NAMED = 20;

/** Tells what is wrong, and where in the body. @param rule Default `value`. */
type Tell = (path: readonly string[], text: string, rule?: RuleNote['rule']) => void;

const lists = new WeakMap<Request, ItemList>();

/** Finds the items in the body: a list, or an object with `operations`. Parses a list once for a request. */
export function findItems(request: Request): ItemList {
  const found = lists.get(request) ?? parseItems(request);
  lists.set(request, found);
  return found;
}

function parseItems(request: Request): ItemList {
  const operations = request.getPost('operations');
  if (Array.isArray(operations)) return { at: ['operations'], items: operations };
  const content = request.getContent();
  // The runtime has parsed it before, and refused what is too deep or no JSON; it keeps only objects.
  const isList = /^\s*\[/.test(String(content)) && isJson(request);
  return { at: [], items: isList ? (JSON.parse(String(content)) as unknown[]) : undefined };
}

/** Rows that the items write: as many requests they count. */
export function countItems({ items = [] }: ItemList, { calls }: Batch, { plan }: Context): number {
  return items.reduce<number>((sum, item) => {
    if (!isRecord(item)) return sum + 1;
    const call = calls.get(String(item.call));
    return sum + 1 + (call && isRecord(item.body) ? countChildren(listChildRelations(call, plan), item.body) : 0);
  }, 0);
}

/** Reads the items of one request, and collects what is wrong with them. */
class Reader {
  readonly #batch: Batch;
  readonly #context: Context;
  readonly #tell: Tell;
  /** By id. */
  readonly #earlier = new Map<string, BatchItem>();

  constructor(batch: Batch, context: Context, tell: Tell) {
    this.#batch = batch;
    this.#context = context;
    this.#tell = tell;
  }

  /** Undefined if it is invalid. */
  read(given: unknown, at: readonly string[]): BatchItem | undefined {
    const errors = { count: 0 };
    const tell = (path: readonly string[], text: string, rule?: string): undefined => {
      errors.count += 1;
      this.#tell([...at, ...path], text, rule);
    };
    if (!isRecord(given))
      return tell([], 'An item must be an object with "call", and "id", "path", "body" or "ifMatch".');
    const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
    if (unknown !== undefined)
      tell([unknown], `"${unknown.slice(0, 64)}" is not a key of an item. ${toDidYouMean(unknown, KEYS)}`, 'unknown');
    const { id, path = {}, body, ifMatch } = given;
    if (id !== undefined && (typeof id !== 'string' || !ID.test(id)))
      tell(['id'], 'An id has 1 to 64 letters, digits, "-" and "_".');
    if (typeof id === 'string' && this.#earlier.has(id))
      tell(['id'], translate('Two items have the id "{id}".', { id }));
    if (ifMatch !== undefined && typeof ifMatch !== 'string')
      tell(['ifMatch'], '"ifMatch" must be the text of an ETag.');
    if (body !== undefined && !isRecord(body)) tell(['body'], '"body" must be an object.');
    const call = this.#findCall(given.call, (text, rule) => tell(['call'], text, rule));
    if (!isRecord(path)) tell(['path'], '"path" must be an object with the parameters of the path.');
    else if (call) this.#checkPath(call, path, (keys, text, rule) => tell(['path', ...keys], text, rule));
    this.#checkReferences(path, (keys, text, rule) => tell(['path', ...keys], text, rule));
    this.#checkReferences(body, (keys, text, rule) => tell(['body', ...keys], text, rule));
    if (errors.count > 0 || call === undefined || !isRecord(path)) return undefined;
    const item = {
      id: id as string | undefined,
      call,
      path,
      body: body as Values | undefined,
      ifMatch: ifMatch as string | undefined,
    };
    if (item.id !== undefined) this.#earlier.set(item.id, item);
    return item;
  }

  /** A call of another kind of access counts as unknown. */
  #findCall(name: unknown, tell: (text: string, rule?: string) => void): CallPlan | undefined {
    const { access, calls } = this.#batch;
    const call = typeof name === 'string' ? calls.get(name) : undefined;
    if (call !== undefined) return call;
    const shown = String(name).slice(0, 100);
    const known = this.#context.plan.calls.find((one) => one.name === name);
    const obstacle = known?.definition.access === access ? findBatchObstacle(known) : undefined;
    if (name === undefined) tell('"call" must be the name of a call.', 'required');
    else if (typeof name !== 'string') tell('"call" must be the name of a call.');
    else if (obstacle !== undefined) tell(`"${shown}" ${obstacle}`);
    else
      tell(
        `${translate('There is no {access} call "{name}".', { access, name: shown })} ${toDidYouMean(shown, calls.keys())}`,
        'unknown',
      );
    return undefined;
  }

  #checkPath({ parameters }: CallPlan, path: Values, tell: Tell): void {
    for (const [name, value] of Object.entries(path)) {
      if (!parameters.includes(name))
        tell(
          [name],
          `"${name.slice(0, 64)}" is not in the path of the call. ${toDidYouMean(name, parameters)}`,
          'unknown',
        );
      else if (!isReference(value) && !isSegment(value))
        tell([name], 'A parameter of a path must be a text or a number.');
    }
    for (const name of parameters)
      if (!Object.hasOwn(path, name)) tell([], translate('The path needs "{name}".', { name }), 'required');
  }

  /** Checks as much of the references as is known before anything is written. */
  #checkReferences(value: unknown, tell: Tell): void {
    replaceReferences(value, (reference, path) => {
      const read = readReference(reference);
      const shown = reference.$ref.slice(0, 100);
      if (read === undefined)
        tell(path, translate('"{ref}" is not a reference. Write "<id>.<column>".', { ref: shown }));
      else {
        const item = this.#earlier.get(read.id);
        if (item === undefined) tell(path, translate('No earlier item has the id "{id}".', { id: read.id }), 'unknown');
        else if (!this.#mayHave(item, read.column)) tell(path, toMissing(read.id, read.column), 'unknown');
      }
      return undefined;
    });
  }

  /** Whether the results of an item may have a column: those of Treadle's own events are known. */
  #mayHave({ call }: BatchItem, column: string): boolean {
    const { bus, model } = this.#context.plan;
    const { event } = call.definition;
    const schema = call.schema === undefined ? undefined : model.schemas.get(call.schema);
    if (!schema || !bus.isOwn(event) || bus.followers.hasFollower(event)) return true;
    return schema.row.names.has(column);
  }
}

export const toMissing = (id: string, column: string): string =>
  translate('The results of the item "{id}" have no "{column}".', { id, column });

/** True for what stands for one segment of a path. */
export const isSegment = (value: unknown): value is string | number =>
  typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && value !== '' && isWellFormed(value);

function isWellFormed(text: string): boolean {
  try {
    return encodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

/** Refuses a number of a decimal column that JSON has rounded. */
function checkNumbers(request: Request, items: readonly BatchItem[], { plan }: Context, response: Response): boolean {
  const names = items.flatMap(({ call }) => [
    call.schema,
    ...listChildRelations(call, plan).map(({ target }) => target.name),
  ]);
  const schemas = [...new Set(names)].flatMap((name) => plan.model.schemas.get(name ?? '') ?? []);
  const rounded = findRoundedNumber(String(request.getContent()), listAllExactKeys(schemas));
  if (rounded === undefined) return true;
  const { key = 'body', number } = rounded;
  const at = items.findIndex(
    ({ body }) => body !== undefined && Object.hasOwn(body, key) && body[key] === Number(number),
  );
  return refuseRounded(response, rounded, at < 0 ? [] : [...findItems(request).at, String(at), 'body']);
}

/** Reads the items of a request. Undefined if one is invalid: then the request is refused, with each error at its place. */
export function readItems(
  batch: Batch,
  context: Context,
  request: Request,
  response: Response,
): BatchItem[] | undefined {
  if (!checkJsonType(request, response)) return undefined;
  const list = findItems(request);
  const { at, items } = list;
  const isMany = items !== undefined && countItems(list, batch, context) > MOST_ITEMS;
  if (items === undefined || items.length === 0 || isMany) {
    const message = isMany
      ? translate('A batch writes at most {most} rows, with the children in its items. Send the rest in another one.', {
          most: MOST_ITEMS,
        })
      : translate('The body must be a JSON list of 1 to {most} items, or {"operations": […]}.', { most: MOST_ITEMS });
    const note = { rule: 'limit', params: { min: 1, max: MOST_ITEMS } };
    response.addValidation(...(at.length > 0 ? at : ['body']), noteRule(message, note));
    refuse(response, { status: 400, message, code: 'REST_BATCH_INVALID' });
    return undefined;
  }
  const other =
    at.length === 0 ? undefined : Object.keys(request.getPost() as object).find((key) => key !== 'operations');
  const errors: string[] = [];
  const tell: Tell = (path, text, rule = 'value') => {
    if (errors.length < MOST_NAMED) response.addValidation(...path, noteRule(text, { rule }));
    errors.push(`${path.join('.')}: ${text}`);
  };
  if (other !== undefined)
    tell([other], `"${other.slice(0, 64)}" is not a key of a batch. ${toDidYouMean(other, ['operations'])}`, 'unknown');
  const reader = new Reader(batch, context, tell);
  const read: BatchItem[] = [];
  for (const [index, given] of items.entries()) {
    const item = reader.read(given, [...at, String(index)]);
    if (item !== undefined) read.push(item);
    // Each unknown name is compared with those of all calls.
    if (errors.length >= MOST_NAMED) break;
  }
  const [first] = errors;
  if (first !== undefined) {
    refuse(response, { status: 400, message: first, code: 'REST_BATCH_INVALID' });
    return undefined;
  }
  return checkNumbers(request, read, context, response) ? read : undefined;
}
