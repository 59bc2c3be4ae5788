import { toList, toRecord } from '../../model/json/json-parts.ts';
import { isSameJson } from '../../model/json/json-value.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { type Comparison, type Direction, follow, type Level } from './change.ts';
import { compareSchemas } from './schema.ts';

/** One operation in both documents. */
export interface Pair {
  readonly call: string;
  readonly before: Json;
  readonly after: Json;
  /** For a hook the request is what receivers get, so it counts as an answer. */
  readonly isHook: boolean;
}

function add(comparison: Comparison, pair: Pair, level: Level, code: string, message: string, place = ''): void {
  comparison.add(pair.call, { level, code, place, message });
}

/** Finds the changes of an operation that both documents have. */
export function compareCalls(comparison: Comparison, pair: Pair): void {
  compareParameters(comparison, pair);
  compareBodies(comparison, pair);
  if (pair.isHook) return;
  compareAnswers(comparison, pair);
  compareSecurity(comparison, pair);
  if (toRecord(pair.before).deprecated !== true && toRecord(pair.after).deprecated === true)
    add(comparison, pair, 'risky', 'call-deprecated', 'is deprecated now');
}

/** A parameter as requests have it: documents of before had all conditions as one object, `filter`. */
function listFlat(parameter: Json): Json[] {
  if (parameter.style !== 'deepObject') return [parameter];
  const properties = Object.entries(toRecord(toRecord(parameter.schema).properties));
  return properties.map(([name, value]) => {
    // The first choice is the value itself; the others are operators.
    const [schema = value] = toList(toRecord(value).anyOf);
    return { ...parameter, name: `${String(parameter.name)}[${name}]`, schema };
  });
}

/** Parameters by place and name; path parameters by position, because their names are not transmitted. */
function listParameters(document: Json, operation: Json): Map<string, Json> {
  const all = toList(operation.parameters).flatMap((parameter) => listFlat(follow(document, parameter)));
  const inPath = all.filter((parameter) => parameter.in === 'path');
  const toKey = (parameter: Json): string =>
    parameter.in === 'path' ? `path ${inPath.indexOf(parameter)}` : `${String(parameter.in)} ${String(parameter.name)}`;
  return new Map(all.map((parameter) => [toKey(parameter), parameter]));
}

function compareParameters(comparison: Comparison, pair: Pair): void {
  const before = listParameters(comparison.before, pair.before);
  const after = listParameters(comparison.after, pair.after);
  for (const [key, { name }] of before) {
    if (after.has(key)) continue;
    add(comparison, pair, 'breaking', 'parameter-removed', `the parameter ${String(name)} is gone`, String(name));
  }
  for (const [key, parameter] of after) {
    const place = String(parameter.name);
    const was = before.get(key);
    const isNeeded = parameter.required === true && !pair.isHook;
    if (!was) {
      const words = `the parameter ${place} is new${isNeeded ? ' and required' : ''}`;
      add(comparison, pair, isNeeded ? 'breaking' : 'additive', 'parameter-added', words, place);
      continue;
    }
    if (isNeeded && was.required !== true)
      add(comparison, pair, 'breaking', 'parameter-became-required', `the parameter ${place} is required now`, place);
    if (!isNeeded && was.required === true && !pair.isHook)
      add(
        comparison,
        pair,
        'additive',
        'parameter-became-optional',
        `the parameter ${place} may be left out now`,
        place,
      );
    const direction: Direction = pair.isHook ? 'answer' : 'request';
    compareSchemas(comparison, was.schema, parameter.schema, { call: pair.call, direction, path: [place] });
  }
}

/** Types of bodies that documents of before had beside JSON. The server takes them as ever. */
const UNTOLD: ReadonlySet<string> = new Set([
  ...['application/merge-patch+json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
]);

/** Contents by type: removed ones, new ones, and the changes of the others. */
function compareContents(
  comparison: Comparison,
  pair: Pair,
  { before, after, direction }: { readonly before: Json; readonly after: Json; readonly direction: Direction },
): void {
  for (const type of Object.keys(before)) {
    if (!(type in after) && !(direction === 'request' && UNTOLD.has(type) && 'application/json' in after)) {
      const words =
        direction === 'request' ? `a body of type ${type} is no longer accepted` : `${type} is no longer answered`;
      add(comparison, pair, 'breaking', `${direction}-type-removed`, words, type);
    }
  }
  for (const [type, content] of Object.entries(after)) {
    if (!(type in before)) {
      add(
        comparison,
        pair,
        'additive',
        `${direction}-type-added`,
        `${type} is now ${direction === 'request' ? 'accepted' : 'answered'} too`,
        type,
      );
      continue;
    }
    const schemas = [toRecord(before[type]).schema, toRecord(content).schema] as const;
    compareSchemas(comparison, schemas[0], schemas[1], { call: pair.call, direction, path: [] });
  }
}

function compareBodies(comparison: Comparison, pair: Pair): void {
  const before = follow(comparison.before, pair.before.requestBody);
  const after = follow(comparison.after, pair.after.requestBody);
  const direction: Direction = pair.isHook ? 'answer' : 'request';
  if (!pair.isHook && after.required === true && before.required !== true)
    add(comparison, pair, 'breaking', 'request-body-became-required', 'a body is required now');
  const isThere = 'content' in before && 'content' in after;
  if (isThere)
    compareContents(comparison, pair, { before: toRecord(before.content), after: toRecord(after.content), direction });
  else if ('content' in before)
    add(comparison, pair, 'breaking', 'request-body-removed', 'a body is no longer accepted');
}

const isSuccess = (status: string): boolean => /^[23]/.test(status);

function compareAnswers(comparison: Comparison, pair: Pair): void {
  const before = toRecord(pair.before.responses);
  const after = toRecord(pair.after.responses);
  for (const status of Object.keys(before)) {
    if (status in after) continue;
    // A client that handles a removed error status keeps working.
    const level = isSuccess(status) ? 'breaking' : 'additive';
    add(comparison, pair, level, 'status-removed', `${status} is no longer answered`, status);
  }
  for (const [status, answer] of Object.entries(after)) {
    if (!(status in before)) {
      const level = /^2/.test(status) ? 'risky' : 'additive';
      add(comparison, pair, level, 'status-added', `${status} may be answered too`, status);
      continue;
    }
    const was = follow(comparison.before, before[status]);
    const is = follow(comparison.after, answer);
    compareHeaders(comparison, pair, was, is);
    const contents = { before: toRecord(was.content), after: toRecord(is.content) };
    compareContents(comparison, pair, { ...contents, direction: 'answer' });
  }
}

function compareHeaders(comparison: Comparison, pair: Pair, was: Json, is: Json): void {
  const after = toRecord(is.headers);
  for (const [name, header] of Object.entries(toRecord(was.headers))) {
    const isNeeded = follow(comparison.before, header).required === true;
    if (!(name in after)) {
      add(comparison, pair, isNeeded ? 'breaking' : 'risky', 'header-removed', `the header ${name} is gone`, name);
    } else if (isNeeded && follow(comparison.after, after[name]).required !== true)
      add(comparison, pair, 'breaking', 'header-became-optional', `the header ${name} may be missing now`, name);
  }
  for (const name of Object.keys(after))
    if (!(name in toRecord(was.headers)))
      add(comparison, pair, 'additive', 'header-added', `the header ${name} is new`, name);
}

/** A credential in words: `oauth2 (profile_read)`. */
function describeNeed(need: unknown): string {
  const parts = Object.entries(toRecord(need)).map(([name, scopes]) => {
    const list = toList(scopes);
    return list.length === 0 ? name : `${name} (${list.join(', ')})`;
  });
  return parts.join(' with ');
}

/** A credential by its name of today: documents of before called that of apps `client`. */
const rename = (need: unknown): Json =>
  Object.fromEntries(
    Object.entries(toRecord(need)).map(([name, scopes]) => [name === 'client' ? 'appBasic' : name, scopes]),
  );

function compareSecurity(comparison: Comparison, pair: Pair): void {
  const before = toList(pair.before.security).map(rename);
  const after = toList(pair.after.security);
  if (isSameJson(before, after)) return;
  if (before.length === 0) {
    const words = `needs ${after.map(describeNeed).join(' or ')} now, and needed nothing before`;
    add(comparison, pair, 'breaking', 'scope-changed', words);
    return;
  }
  if (after.length === 0) {
    add(comparison, pair, 'additive', 'scope-changed', 'no longer needs a credential');
    return;
  }
  const [was, is] = [before.map(describeNeed), after.map(describeNeed)];
  for (const need of was.filter((name) => !is.includes(name)))
    add(comparison, pair, 'breaking', 'scope-changed', `no longer accepts ${need}`, need);
  for (const need of is.filter((name) => !was.includes(name)))
    add(comparison, pair, 'additive', 'scope-changed', `also accepts ${need}`, need);
}
