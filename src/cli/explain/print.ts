import { toTable } from '../terminal.ts';
import type { CallFacts } from './call.ts';
import type { ListenerFacts, RequestMatch } from './find.ts';
import type { Verdict } from './verdict.ts';

const toListenerCells = ({ event, by, name, place, priority }: ListenerFacts): string[] => [
  '',
  place ?? by,
  event,
  [name, priority === 0 ? '' : `priority ${priority}`].filter((part) => part !== '').join(', '),
];

function toPairs(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).map(
    ([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  );
  return pairs.join(' ');
}

const toWord = ({ passes }: Verdict): string => (passes === null ? 'depends' : passes ? 'passes' : 'is refused');

const toRow = (...row: [string, string]): [string, string] => row;

/** The facts about a call as text, one per line. */
export function toCallLines(call: CallFacts, verdict: Verdict | undefined): string[] {
  const { scopes } = call;
  const listed = scopes
    .map(({ slug, needsApproval }) => `${slug}${needsApproval ? ' (needs approval)' : ''}`)
    .join(', ');
  const none = call.access === 'user' ? 'none: no token can call it' : 'none: every app may call it';
  const rows: [string, string][] = [
    ['call', `${call.name}: ${call.title}`],
    ['file', `${call.file}${call.isHandwritten ? ' (hand-written)' : ''}`],
    ['path', [call.path, toPairs(call.parameters), call.variables.join(' ')].filter(Boolean).join('   ')],
    ['access', `${call.access}: ${call.credential}`],
    ...(call.access === 'public' ? [] : [toRow('scopes', listed === '' ? none : listed)]),
    ['rows', call.rows],
    ['limit', call.limit],
    ...(call.needsVersion ? [toRow('version', 'a change needs If-Match, else 428')] : []),
    ['event', [call.event, toPairs(call.fixed)].filter(Boolean).join('   ')],
  ];
  return [
    ...toTable(rows),
    'listeners',
    ...(call.listeners.length === 0
      ? ['  nothing listens: the call always fails']
      : toTable(call.listeners.map(toListenerCells))),
    'hooks',
    ...(call.hooks.length === 0
      ? ['  none']
      : toTable(
          call.hooks.map(({ name, type, file, needsApproval }) => [
            '',
            type,
            name,
            file,
            needsApproval ? 'needs approval' : '',
          ]),
        )),
    ...(verdict === undefined
      ? []
      : [`verdict  ${toWord(verdict)}`, ...verdict.reasons.map((reason) => `  ${reason}`)]),
  ];
}

/** The routes of a path that is not an API call. */
export function toRouteLines({ routes }: RequestMatch): string[] {
  return toTable(
    routes.map(({ event, by, place, description, name, priority }) => [
      event,
      place ?? by,
      description === '' ? name : description,
      priority === 0 ? '' : `priority ${priority}`,
    ]),
  );
}
