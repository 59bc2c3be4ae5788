import { compilePattern } from '../../core/bus/pattern.ts';
import { isSafeKey } from '../../core/request/registry.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { type Definitions, hasDefinition, toNames } from '../definitions.ts';
import type { CallModel, ScopeModel } from '../model.ts';
import type { Source } from '../parse.ts';
import type { Hook, Rest, Scope } from '../shape.ts';
import { createReport, type Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

interface IdleKey {
  readonly key: keyof Rest;
  /** Why it has no effect; undefined if it has one. */
  why(call: Rest): string | undefined;
  readonly hint: string;
}

const CHANGES = /^system-model-(?:update|remove|restore)$/;

const IDLE_KEYS: readonly IdleKey[] = [
  {
    key: 'maxAge',
    why: ({ access, method }) => {
      if (access !== 'public') return `answers of ${access} calls are for one caller, so caches do not keep them`;
      return method === 'get' || method === 'all' ? undefined : `caches keep no answer to ${method.toUpperCase()}`;
    },
    hint: 'Only public calls by GET have it: remove it.',
  },
  {
    key: 'concurrency',
    why: ({ concurrency, event }) =>
      concurrency === 'optional' || CHANGES.test(event) ? undefined : `its event is ${event}`,
    hint: 'Only calls that update, remove or restore a row have it: remove it.',
  },
  {
    key: 'open',
    why: ({ access, open }) =>
      open === true && access === 'user' ? 'a user call is never open to strangers' : undefined,
    hint: 'Only public calls and app calls have it: remove it.',
  },
];

/** Names keys of a call without an effect, and a day of the end before that of the deprecation. */
function checkCallKeys(name: string, source: Source<Rest>, report: Report): void {
  const { deprecated, sunset } = source.value;
  for (const { key, why, hint } of IDLE_KEYS) {
    const reason = source.value[key] === undefined ? undefined : why(source.value);
    if (reason === undefined) continue;
    const message = `"${key}" has no effect on the call "${name}": ${reason}.`;
    report.add(source, [key], { code: 'MODEL_CALL_KEY_IDLE', message, hint, severity: 'advice' });
  }
  // RFC 9745 section 4. Both are written YYYY-MM-DD.
  if (deprecated === undefined || sunset === undefined || sunset >= deprecated) return;
  const message = `The call "${name}" ends on ${sunset}, before it is deprecated on ${deprecated}.`;
  const hint = 'Give "sunset" the same day as "deprecated", or a later one.';
  report.add(source, ['sunset'], { code: 'MODEL_CALL_SUNSET', message, hint, severity: 'warning' });
}

type Drafts = ReadonlyMap<string, SchemaDraft>;

/** Paths under `/rest` that are already used. */
const TAKEN: ReadonlySet<string> = new Set(['/access']);

/** Normal form of a path: two calls collide if their paths differ only in case or parameter names. */
const toRoute = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? ':' : segment.toLowerCase()))
    .join('/')
    .replace(/(.)\/$/, '$1');

/** What decides which requests a call answers. */
interface CallRoute {
  readonly path: string;
  readonly method: string | undefined;
}

function checkPath(source: Source<CallRoute>, report: Report): void {
  const { path } = source.value;
  const names = compilePattern(path).names;
  const broken = path.split('/').find((segment) => segment.startsWith(':') && !names.includes(segment.slice(1)));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const refused = names.find((name) => !isSafeKey(name));
  const add = (message: string, hint: string) =>
    report.add(source, ['path'], { code: 'MODEL_CALL_PATH', message, hint });
  if (broken !== undefined) add(`"${broken}" is not a parameter of a path.`, 'Write ":" and letters, digits and "_".');
  if (twice !== undefined) add(`The path names the parameter ":${twice}" twice.`, 'Rename one.');
  if (refused !== undefined) add(`A parameter may not be named ":${refused}".`, 'Choose another name.');
  if (/^\/rest(?:\/|$)/i.test(path)) {
    const message = `The call is served at /rest${path}, because all calls lie under /rest.`;
    const hint = `Write "${path.slice(5) || '/'}".`;
    report.add(source, ['path'], { code: 'MODEL_CALL_PATH', message, hint, severity: 'warning' });
  }
  if (TAKEN.has(toRoute(path))) add(`/rest${path} is where apps get their tokens.`, 'Choose another path.');
}

function checkRoutes(calls: Iterable<readonly [string, Source<CallRoute>]>, report: Report): void {
  const routes = new Map<string, [string, Source<CallRoute>][]>();
  for (const [name, source] of calls) {
    checkPath(source, report);
    const key = toRoute(source.value.path);
    const others = routes.get(key) ?? [];
    routes.set(key, [...others, [name, source]]);
    const { method } = source.value;
    const twin = others.find(([, { value }]) => value.method === method || value.method === 'all' || method === 'all');
    if (twin === undefined) continue;
    const message = `Two calls answer ${method} /rest${source.value.path}: "${name}" and "${twin[0]}".`;
    const isSame = twin[1].value.method === method;
    const hint = isSame
      ? 'Change the path or the method of one.'
      : 'Change the path of one; "all" answers each method.';
    report.add(source, ['path'], { code: 'MODEL_CALL_DUPLICATE', message, hint });
  }
}

/** What is wrong with the path of a new call; undefined for a valid one. */
export function findPathError(definitions: Definitions, path: string, method: string | undefined): string | undefined {
  const report = createReport();
  const source: Source<CallRoute> = { file: '', text: '{}', value: { path, method } };
  checkRoutes([...definitions.rest, ['', source]], report);
  const found = report.problems.find(({ file }) => file === '');
  if (found?.code === 'MODEL_CALL_DUPLICATE') return `Another call answers ${method} /rest${path}.`;
  return found && [found.message, found.hint].filter(Boolean).join(' ');
}

/** The schema that `parameters.schema` names. Reports a schema that does not exist. */
export function findSchema(source: Source<Rest | Hook>, definitions: Definitions, report: Report): string | undefined {
  let known: string | undefined;
  for (const key of ['schema', 'schema1', 'schema2'] as const) {
    const name = source.value.parameters?.[key];
    if (name === undefined) continue;
    const isThere = typeof name === 'string' && hasDefinition(definitions, 'schema', name);
    if (isThere && key === 'schema') known = name;
    if (isThere) continue;
    const message = `"parameters" name the schema ${JSON.stringify(name)}, which does not exist.`;
    const hint = toDidYouMean(String(name), toNames(definitions, 'schema'));
    report.add(source, ['parameters', key], { code: 'MODEL_SCHEMA_UNKNOWN', message, hint });
  }
  return known;
}

/** True if rows of a schema belong to a profile: they are profiles, or have one by 1:1 or 1:0. */
function hasProfile(schema: SchemaDraft): boolean {
  const relations = schema.definition.relations ?? [];
  const isOne = (kind: string): boolean => kind === '1:1' || kind === '1:0';
  return schema.name === 'profile' || relations.some(({ kind, schema: target }) => target === 'profile' && isOne(kind));
}

function checkOwn(name: string, source: Source<Rest>, schema: SchemaDraft | undefined, report: Report): void {
  const { access, own } = source.value;
  if (access !== 'user') {
    if (own === undefined) return;
    const message = `"own" says nothing on the ${access} call "${name}".`;
    const hint = 'Only user calls have it: take it away.';
    report.add(source, ['own'], { code: 'MODEL_CALL_OWN_IDLE', message, hint, severity: 'advice' });
    return;
  }
  if (own === false || schema === undefined || hasProfile(schema)) return;
  const message = `The user call "${name}" is held to its user's own rows, but rows of "${schema.name}" belong to no profile.`;
  const hint = `Relate it: treadle relation add ${schema.name} 1:1 profile. Or say "own": false here: then it sees all rows.`;
  report.add(source, ['access'], { code: 'MODEL_CALL_OWN', message, hint });
}

/** A user call that links rows changes one of them; the changed row must belong to a profile. */
function checkOwnLink(name: string, source: Source<Rest>, drafts: Drafts, report: Report): void {
  const { access, own, event, parameters = {} } = source.value;
  if (access !== 'user' || own === false || !/^system-relation-(?:link|unlink)$/.test(event)) return;
  const [first, second] = [drafts.get(String(parameters.schema1)), drafts.get(String(parameters.schema2))];
  if (!first || !second) return;
  const find = (from: SchemaDraft, to: SchemaDraft) =>
    from.definition.relations?.find(
      (relation) =>
        relation.schema === to.name &&
        (parameters.relation === undefined || parameters.relation === (relation.name ?? relation.schema)),
    );
  const forward = find(first, second);
  const relation = forward ?? find(second, first);
  if (!relation) {
    const message = `"${first.name}" and "${second.name}" have no such relation.`;
    const hint = `Declare it: treadle relation add ${first.name} N:N ${second.name}.`;
    report.add(source, ['parameters'], { code: 'MODEL_CALL_RELATION', message, hint });
    return;
  }
  const [declaring, target] = forward ? [first, second] : [second, first];
  const changed = relation.kind === '1:N' ? target : declaring;
  if (hasProfile(changed)) return;
  const message = `The user call "${name}" changes rows of "${changed.name}", which belong to no profile.`;
  const hint = `Relate it: treadle relation add ${changed.name} 1:1 profile. Or say "own": false here: then it links all rows.`;
  report.add(source, ['access'], { code: 'MODEL_CALL_OWN', message, hint });
}

function checkAggregate(name: string, source: Source<Rest>, report: Report): void {
  const { aggregate, event } = source.value;
  if (aggregate === undefined || event === 'system-model-search') return;
  const message = `"aggregate" has no effect on the call "${name}", because its event is ${event}.`;
  const hint = 'Only calls of system-model-search have it: take it away.';
  report.add(source, ['aggregate'], { code: 'MODEL_CALL_AGGREGATE_IDLE', message, hint, severity: 'advice' });
}

function checkRemoved(name: string, source: Source<Rest>, schema: SchemaDraft | undefined, report: Report): void {
  const { removed, event } = source.value;
  if (removed === undefined || event === 'auth-search') return;
  const isRead = event === 'system-model-search' || event === 'system-model-detail';
  const hasActive = schema === undefined || schema.definition.fields.some(({ type }) => type === 'active');
  if (isRead && hasActive) return;
  const why = isRead ? `rows of "${schema?.name}" are removed for good` : `its event is ${event}`;
  const message = `"removed" has no effect on the call "${name}": ${why}.`;
  const hint = 'Remove the key, or use it on a search or a detail of a schema with an active field.';
  report.add(source, ['removed'], { code: 'MODEL_CALL_REMOVED_IDLE', message, hint, severity: 'advice' });
}

export function linkCalls(definitions: Definitions, drafts: Drafts, report: Report): Map<string, CallModel> {
  checkRoutes(definitions.rest, report);
  const calls = new Map<string, CallModel>();
  for (const [name, source] of definitions.rest) {
    const definition = source.value;
    const schema = findSchema(source, definitions, report);
    checkOwn(name, source, schema === undefined ? undefined : drafts.get(schema), report);
    checkOwnLink(name, source, drafts, report);
    checkAggregate(name, source, report);
    checkCallKeys(name, source, report);
    checkRemoved(name, source, schema === undefined ? undefined : drafts.get(schema), report);
    const scopes = [...definitions.scope.values()].filter(({ value }) => value.calls.includes(name));
    calls.set(
      name,
      Object.freeze({
        name,
        definition,
        path: `/rest${definition.path}`,
        parameters: compilePattern(definition.path).names,
        scopes: scopes.map(({ value }) => value.slug),
        schema,
        isOwn: definition.access === 'user' && definition.own !== false,
        file: source.file,
      }),
    );
  }
  return calls;
}

interface ScopeLinking {
  readonly definitions: Definitions;
  readonly report: Report;
  /**
   * Receives problems about calls without a file, which the project's code may define; or `report`, to report
   * at once.
   */
  readonly open: Report;
}

/** Gives the call's name if it was reported to `open`. */
function checkScopeCall(source: Source<Scope>, index: number, linking: ScopeLinking): string | undefined {
  const { definitions, report, open } = linking;
  const { slug, access, calls } = source.value;
  const name = calls[index] ?? '';
  const at = ['calls', index];
  const call = definitions.rest.get(name)?.value;
  if (calls.indexOf(name) !== index) {
    const message = `The scope "${slug}" lists the call "${name}" twice.`;
    report.add(source, at, { code: 'MODEL_SCOPE_CALL_DUPLICATE', message, hint: 'Remove one.' });
  } else if (call === undefined) {
    if (hasDefinition(definitions, 'rest', name)) return undefined;
    const message = `The scope "${slug}" lists the call "${name}", which does not exist.`;
    const hint = toDidYouMean(name, toNames(definitions, 'rest'));
    open.add(source, at, { code: 'MODEL_SCOPE_CALL_UNKNOWN', message, hint });
    return name;
  } else if (call.access === 'user' && access === 'app') {
    const message = `The app scope "${slug}" lists the user call "${name}", which only a user can grant.`;
    const hint = 'Make the scope\'s "access" user, or list the call in a user scope.';
    report.add(source, at, { code: 'MODEL_SCOPE_ACCESS', message, hint });
  } else if (call.access !== access) {
    const message = `The ${access} scope "${slug}" lists the ${call.access} call "${name}", which it does not open.`;
    const hint =
      call.access === 'public' ? 'Anybody may call it: remove it from the scope.' : 'List it in an app scope.';
    report.add(source, at, { code: 'MODEL_SCOPE_CALL_IDLE', message, hint, severity: 'advice' });
  }
  return undefined;
}

/** Links the scopes; `unknown` are the names of the calls reported to `open`, in that order. */
export function linkScopes(linking: ScopeLinking): {
  readonly scopes: Map<string, ScopeModel>;
  readonly unknown: readonly string[];
} {
  const { definitions } = linking;
  const unknown: string[] = [];
  const scopes = new Map<string, ScopeModel>();
  for (const source of definitions.scope.values()) {
    const definition = source.value;
    for (const index of definition.calls.keys()) {
      const name = checkScopeCall(source, index, linking);
      if (name !== undefined) unknown.push(name);
    }
    const { slug, calls } = definition;
    scopes.set(slug, Object.freeze({ slug, definition, calls: Object.freeze([...calls]), file: source.file }));
  }
  return { scopes, unknown };
}
