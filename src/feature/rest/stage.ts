import type { Actor } from '../../access/grant.ts';
import { continueWith } from '../../core/continue-with.ts';
import type { CallFacts } from '../../core/request/call-facts.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { noteOthers, noteRule } from '../../core/text/rule-note.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { translate } from '../../core/text/translate.ts';
import { fieldKinds, holdsFiles } from '../../model/field/field-kind.ts';
import { listUnknownKeys } from '../../model/field/fieldset-group.ts';
import type { ColumnModel, SchemaModel } from '../../model/model.ts';
import { isServerSet, isSystemSet } from '../../model/server-set.ts';
import { findListTarget, listChildRelations } from '../../plan/call/batch.ts';
import { type CallShape, refuseIssues } from '../../plan/call/call-shape.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import { setOwnFacts } from '../../plan/own-facts.ts';
import { listAllExactKeys } from '../../rows/column.ts';
import { AGGREGATE_PARAMETERS, findUnknownNames } from '../../store/read/parse/search-parameters.ts';
import { checkBody, isPatch } from './body-check.ts';
import { removeCredentials } from './credentials.ts';
import { refuse } from './errors.ts';

/** Fills the stage for a call's event; false if the request was refused. */
export type StageStep = (request: Request, response: Response, actor: Actor) => boolean | Promise<boolean>;

/**
 * Compiles how a call fills the stage. The bus has already added query, body and path parameters, in this
 * order; then come the user's profile and the definition's parameters.
 */
export function compileStage(call: CallPlan, context: Context): StageStep {
  const checkKeys = compileKeyCheck(call, context);
  const { parameters } = call.definition;
  const ownId = findOwnId(call, context);
  // A call that updates rows of any owner keeps their owner: the token's profile would replace it.
  const keepsOwner = !call.isOwn && call.schema !== 'profile' && call.definition.event === 'system-model-update';
  // If the path names another profile, the call finds nothing, instead of the user's own rows.
  const namesProfile = call.isOwn && findOwnId(call, context) !== undefined && call.parameters.includes('profile_id');
  const aggregate = listAggregate(call);
  const isBatch = call.definition.event === 'system-model-batch';
  const merges = isBatch || call.definition.event === 'system-model-update';
  const facts: CallFacts = {
    isPatch: false,
    fixed: parameters,
    aggregate,
    isRemovedOpen: call.definition.removed === true,
    isUser: call.definition.access === 'user',
  };
  const patching: CallFacts = { ...facts, isPatch: true };
  return (request, response, actor) => {
    removeCredentials(request);
    request.set('actor', actor);
    request.callFacts = merges && (isBatch || isPatch(request)) ? patching : facts;
    return continueWith(checkKeys(request, response), (passes) => {
      if (passes && actor.kind === 'user') {
        // A user without a profile owns no rows: ids start at 1, so 0 matches none.
        const profileId = actor.profileId ?? 0;
        if (keepsOwner) request.removeStage('profile_id');
        else if (!namesProfile) request.setStage('profile_id', profileId);
        if (ownId !== undefined && request.getParameters(ownId) === undefined) request.setStage(ownId, profileId);
      }
      if (passes && parameters) request.setStage(parameters);
      return passes;
    });
  };
}

/** The grouping parameters of a call: those that its definition opens, and those that it fixes. */
function listAggregate({ definition: { aggregate = [], parameters = {} } }: CallPlan): string[] {
  return [...aggregate, ...AGGREGATE_PARAMETERS.filter((name) => Object.hasOwn(parameters, name))];
}

/** The primary key for a user call on the profile schema that reads or changes the user's own profile. */
function findOwnId(call: CallPlan, context: Context): string | undefined {
  if (call.schema !== 'profile' || !/-(?:detail|update|remove|restore)$/.test(call.definition.event)) return undefined;
  return context.plan.model.schemas.get('profile')?.primary;
}

/** True for a column that no body may bring: code sets it, or Treadle itself, as `created` and `active`. */
const isUnwritable = (column: ColumnModel): boolean => isServerSet(column) || isSystemSet(column);

/** The keys that the body of a create or update may have. */
function listBodyKeys(schema: SchemaModel, call: CallPlan): Set<string> {
  const hidden = new Set([schema.primary, ...schema.columns.filter(isUnwritable).map(({ name }) => name)]);
  const keys = new Set(schema.row.stored.filter((name) => !hidden.has(name)));
  const isIdElsewhere = call.parameters.includes(schema.primary);
  if (call.definition.event === 'system-model-update' && !isIdElsewhere) keys.add(schema.primary);
  return keys;
}

/**
 * Maximum unknown keys in an answer: a body of 1 MB may have a hundred thousand, and each is compared with
 * every column.
 */
const MOST_NAMED = 20;

/** A promise only if the shape of a hand-written call waits. */
type KeyCheck = (request: Request, response: Response) => boolean | Promise<boolean>;

/**
 * Compiles the check of a write's body and of a search's parameters: an unknown key is 400, with the nearest
 * known one.
 */
function compileKeyCheck(call: CallPlan, context: Context): KeyCheck {
  const schema = call.schema === undefined ? undefined : context.plan.model.schemas.get(call.schema);
  const { event, access } = call.definition;
  if (call.body) return compileShapeCheck(call, call.body);
  if (schema && event === 'system-model-search') return compileSearchCheck(call);
  if (!schema || !/^system-model-(?:create|update|batch)$/.test(event)) return () => true;
  const children = listChildRelations(call, context.plan);
  const keys = new Set([...listBodyKeys(schema, call), ...children.map(({ name }) => name)]);
  const exact = listAllExactKeys([schema, ...children.map(({ target }) => target)]);
  // The step of the children says what to do with a file in one.
  const takers = new Set([...schema.columns.filter(holdsFiles), ...children].map(({ name }) => name));
  if (access === 'user') keys.add('profile_id');
  if (event === 'system-model-batch') {
    return (request, response) =>
      checkBody(request, response, exact) && checkOperations(request, response, { keys, schema });
  }
  return (request, response) => {
    if (!checkBody(request, response, exact)) return false;
    const posted = request.getPost() as Readonly<Record<string, unknown>>;
    const named = [...Object.keys(posted), ...(request.hasFiles() ? Object.keys(request.getFiles() as object) : [])];
    const unknown = named.filter((key) => !keys.has(key));
    if (unknown.length === 0) return checkFiles(request, response, takers) && checkGroups(schema, posted, response);
    const describe = (key: string): string => describeList(key, call, schema) ?? describeUnknown(key, keys, schema);
    for (const key of unknown.slice(0, MOST_NAMED)) response.addValidation(key, describe(key));
    const [first] = unknown as [string];
    return refuse(response, { status: 400, code: 'KEY_UNKNOWN', message: describe(first) });
  };
}

/** The check of a hand-written call's body by its shape. */
function compileShapeCheck({ definition: { method } }: CallPlan, shape: CallShape): KeyCheck {
  if (method === 'get') return () => true;
  return (request, response) => {
    if (!checkBody(request, response)) return false;
    const posted = request.getPost() as Readonly<Record<string, unknown>>;
    const unknown = shape.keys && Object.keys(posted).find((key) => !shape.keys?.has(key));
    if (unknown !== undefined) {
      const message = `"${unknown.slice(0, 64)}" is not a key of the body. ${toDidYouMean(unknown, shape.keys ?? [])}`;
      response.addValidation(unknown, noteRule(message, { rule: 'unknown' }));
      return refuse(response, { status: 400, code: 'KEY_UNKNOWN', message });
    }
    return continueWith(shape.check(posted), ({ issues, value }) => {
      if (issues.length > 0) return refuseIssues(response, issues, 'body');
      setOwnFacts(request, { body: value });
      return true;
    });
  };
}

interface Columns {
  readonly keys: ReadonlySet<string>;
  readonly schema: SchemaModel;
}

/** Checks the values of every operation of a batch; errors are reported by their place. */
function checkOperations(request: Request, response: Response, { keys, schema }: Columns): boolean {
  const posted = request.getPost() as Readonly<Record<string, unknown>>;
  const other = Object.keys(posted).find((key) => key !== 'operations');
  if (other !== undefined) {
    const message = `"${other.slice(0, 64)}" is not a key of a batch. ${toDidYouMean(other, ['operations'])}`;
    response.addValidation(other, noteRule(message, { rule: 'unknown' }));
    return refuse(response, { status: 400, code: 'KEY_UNKNOWN', message });
  }
  const errors = listOperationErrors(posted.operations, { keys, schema });
  const [first] = errors;
  if (first === undefined) return true;
  for (const { index, key, message } of errors.slice(0, MOST_NAMED)) {
    response.addValidation('operations', String(index), 'values', key, message);
  }
  return refuse(response, {
    status: 400,
    code: 'KEY_UNKNOWN',
    message: `operations[${first.index}]: ${first.message}`,
  });
}

interface OperationError {
  readonly index: number;
  readonly key: string;
  readonly message: string;
}

function listOperationErrors(operations: unknown, { keys, schema }: Columns): OperationError[] {
  const list: readonly unknown[] = Array.isArray(operations) ? operations : [];
  return list.flatMap((operation, index) => {
    const values = (operation as { values?: unknown } | null)?.values;
    if (typeof values !== 'object' || values === null) return [];
    return Object.keys(values)
      .filter((key) => !keys.has(key))
      .map((key) => ({ index, key, message: describeUnknown(key, keys, schema) }));
  });
}

/** Refuses a file for a column that takes none, where it would be lost. */
function checkFiles(request: Request, response: Response, takers: ReadonlySet<string>): boolean {
  if (!request.hasFiles()) return true;
  const lost = Object.keys(request.getFiles() as object).filter((name) => !takers.has(name));
  const [first] = lost;
  if (first === undefined) return true;
  const toMessage = (name: string): string =>
    noteRule(translate('"{name}" takes no file.', { name }), { rule: 'type' });
  for (const name of lost) response.addValidation(name, toMessage(name));
  return refuse(response, { status: 422, code: 'VALIDATION_FAILED', message: toMessage(first) });
}

/** Refuses keys in a fieldset's groups that are not its fields. */
function checkGroups(schema: SchemaModel, posted: Readonly<Record<string, unknown>>, response: Response): boolean {
  const unknown = schema.columns
    .filter(({ parts, name }) => parts !== undefined && Object.hasOwn(posted, name))
    .flatMap((column) => listUnknownKeys(column, fieldKinds.fieldset.coerce(posted[column.name], 0)));
  const [first] = unknown;
  if (first === undefined) return true;
  const toMessage = (path: readonly string[]): string =>
    noteRule(`"${String(path.at(-1)).slice(0, 64)}" is not a field of ${path.slice(0, -1).join(' ')}.`, {
      rule: 'unknown',
    });
  for (const path of unknown.slice(0, MOST_NAMED)) response.addValidation(...path, toMessage(path));
  return refuse(response, { status: 400, code: 'KEY_UNKNOWN', message: toMessage(first) });
}

function compileSearchCheck(call: CallPlan): KeyCheck {
  const { parameters = {} } = call.definition;
  const allowed = new Set([...call.parameters, ...Object.keys(parameters), ...listAggregate(call), 'profile_id']);
  return (request, response) => {
    const given = request.getGet() as Readonly<Record<string, unknown>>;
    const errors = findUnknownNames(
      request.hasPost() ? { ...given, ...(request.getPost() as object) } : given,
      allowed,
    );
    const [first] = Object.values(errors);
    if (first === undefined) return true;
    noteOthers(errors, () => ({ rule: 'unknown' }));
    response.setValidation(errors);
    return refuse(response, { status: 400, code: 'SEARCH_INVALID', message: first });
  };
}

/** Why a relation of this name takes no rows; undefined if no relation with a list has it. */
function describeList(key: string, { definition: { access } }: CallPlan, schema: SchemaModel): string | undefined {
  const target = findListTarget(schema, key);
  if (target === undefined) return undefined;
  const message = translate('No {access} call creates or changes {schema}.', { access, schema: target });
  return noteRule(message, { rule: 'read_only' });
}

function describeUnknown(key: string, keys: ReadonlySet<string>, schema: SchemaModel): string {
  if (key === schema.primary) {
    const message = `"${key}" is set by the path or by the database. Leave it out of the body.`;
    return noteRule(message, { rule: 'read_only' });
  }
  const full = `${schema.table}_${key}`;
  const column = schema.byName.get(key);
  if (column && isUnwritable(column)) {
    return noteRule(`"${key}" is set by the site. Leave it out of the body.`, { rule: 'read_only' });
  }
  const remedy = keys.has(full) ? `Did you mean "${full}"?` : toDidYouMean(key, keys);
  return noteRule(`"${key.slice(0, 64)}" is not a column of ${schema.name}. ${remedy}`, { rule: 'unknown' });
}
