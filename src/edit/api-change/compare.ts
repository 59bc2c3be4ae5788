import { toList, toRecord } from '../../model/json/json-parts.ts';
import { isSameJson } from '../../model/json/json-value.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { compareCalls } from './call.ts';
import { type Change, Comparison } from './change.ts';

interface Call {
  readonly name: string;
  /** Method and path, with parameters by position, because their names are not transmitted. */
  readonly address: string;
  readonly title: string;
  readonly operation: Json;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options']);

function listCalls(group: unknown): Map<string, Call> {
  const calls = Object.entries(toRecord(group)).flatMap(([path, item]) =>
    Object.entries(toRecord(item))
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]): Call => {
        const title = `${method.toUpperCase()} ${path}`;
        const name = String(toRecord(operation).operationId ?? title);
        return { name, title, address: title.replace(/\{[^}]+\}/g, '{}'), operation: toRecord(operation) };
      }),
  );
  return new Map(calls.map((call) => [call.address, call]));
}

function compareGroups(comparison: Comparison, group: 'paths' | 'webhooks'): void {
  const isHook = group === 'webhooks';
  const word = isHook ? 'web hook' : 'call';
  const code = isHook ? 'webhook' : 'call';
  const before = listCalls(comparison.before[group]);
  const after = listCalls(comparison.after[group]);
  for (const { name, address, title } of before.values()) {
    if (after.has(address)) continue;
    comparison.add(name, {
      level: 'breaking',
      code: `${code}-removed`,
      place: '',
      message: `the ${word} is gone: ${title}`,
    });
  }
  for (const call of after.values()) {
    const was = before.get(call.address);
    if (!was) {
      comparison.add(call.name, {
        level: 'additive',
        code: `${code}-added`,
        place: '',
        message: `the ${word} is new: ${call.title}`,
      });
      continue;
    }
    if (was.name !== call.name) {
      const message = `was called ${was.name}: generated clients use the new name`;
      comparison.add(call.name, { level: 'risky', code: `${code}-renamed`, place: '', message });
    }
    if (comparison.isSame(was.operation, call.operation)) continue;
    compareCalls(comparison, { call: call.name, before: was.operation, after: call.operation, isHook });
  }
}

/** URLs and scopes of the oauth2 scheme, by flow. */
function listFlows(document: Json): Json {
  return toRecord(toRecord(toRecord(toRecord(document.components).securitySchemes).oauth2).flows);
}

function compareFlows(comparison: Comparison): void {
  const after = listFlows(comparison.after);
  for (const [name, flow] of Object.entries(listFlows(comparison.before))) {
    const was = toRecord(flow);
    const is = toRecord(after[name]);
    const add = (level: 'breaking' | 'additive', code: string, message: string, place: string): void =>
      comparison.add('oauth2', { level, code, place, message });
    for (const key of ['authorizationUrl', 'tokenUrl'])
      if (key in was && was[key] !== is[key] && isSameServer(comparison))
        add('breaking', 'oauth-address-changed', `${key} of ${name} is ${String(is[key])} now`, key);
    const scopes = [toRecord(was.scopes), toRecord(is.scopes)] as const;
    for (const slug of Object.keys(scopes[0]))
      if (!(slug in scopes[1])) add('breaking', 'scope-removed', `the scope ${slug} of ${name} is gone`, slug);
    for (const slug of Object.keys(scopes[1]))
      if (!(slug in scopes[0])) add('additive', 'scope-added', `the scope ${slug} of ${name} is new`, slug);
  }
}

const toServers = (document: Json): unknown[] => toList(document.servers).map((server) => toRecord(server).url);
const isSameServer = ({ before, after }: Comparison): boolean => isSameJson(toServers(before), toServers(after));

/** The changes between two OpenAPI documents of one API, most severe first. */
export function compareApis(before: Json, after: Json): Change[] {
  const comparison = new Comparison(before, after);
  compareGroups(comparison, 'paths');
  compareGroups(comparison, 'webhooks');
  compareFlows(comparison);
  if (!isSameServer(comparison)) {
    const message = `the API is at ${toServers(after).join(', ')} now, and was at ${toServers(before).join(', ')}`;
    comparison.add('servers', { level: 'risky', code: 'server-changed', place: '', message });
  }
  return comparison.list();
}

const HEADINGS = { breaking: 'breaks clients', risky: 'may break some', additive: 'leaves clients working' } as const;

/** Changes as text, one per line. */
export function describeChanges(changes: readonly Change[]): string[] {
  return changes.map(({ level, calls, message }) => {
    const shown = calls.slice(0, 3).join(', ');
    const more = calls.length > 3 ? ` and ${calls.length - 3} more` : '';
    return `${HEADINGS[level]}: ${shown}${more}: ${message}`;
  });
}
