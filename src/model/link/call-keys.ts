import type { Source } from '../parse.ts';
import type { Rest } from '../shape.ts';
import type { Report } from './report.ts';

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
export function checkCallKeys(name: string, source: Source<Rest>, report: Report): void {
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
