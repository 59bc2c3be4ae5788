import { readDefinitions } from '../definition.ts';
import { findText, type Invocation, type OptionSpec } from '../spec.ts';
import { getHookApp } from './app.ts';

/** What narrows the log of deliveries; each is a stage key of its events. */
export const FILTER_OPTIONS: readonly OptionSpec[] = [
  { name: 'hook', value: 'name', description: 'of this web hook' },
  { name: 'app', value: 'app', description: 'to this app: a name of config/app, or a client id' },
  { name: 'url', value: 'url', description: 'to this address' },
  { name: 'type', value: 'type', description: 'of this type, such as profile.created' },
  { name: 'event', value: 'id', description: 'of this event, msg_…' },
  {
    name: 'since',
    value: 'time',
    description: 'from this time: 2026-01-15, "2026-01-15 09:30:00" (UTC), or 2h, 3d ago',
  },
  { name: 'until', value: 'time', description: 'before this time, written alike' },
];

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `2h` as the unix seconds of two hours ago; any other text as it is. */
export function toTime(text: string | undefined, now: number): string | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text ?? '') ?? [];
  return count === undefined ? text : String(now - Number(count) * (UNITS[unit] ?? 0));
}

/** The flags as a stage; what was not given is left out. @param now Unix seconds. */
export async function toStage(invocation: Invocation, now: number): Promise<Record<string, string>> {
  const { values } = invocation;
  const app = findText(values, 'app');
  const found = app === undefined ? undefined : await getHookApp(invocation, await readDefinitions(invocation), app);
  const stage = {
    hook: findText(values, 'hook'),
    client_id: found?.clientId,
    url: findText(values, 'url'),
    type: findText(values, 'type'),
    event_id: findText(values, 'event'),
    since: toTime(findText(values, 'since'), now),
    until: toTime(findText(values, 'until'), now),
  };
  return Object.fromEntries(Object.entries(stage).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** What the events call wrong, as the flags are called. */
export const FLAG_NAMES = {
  hook: '--hook',
  client_id: '--app',
  url: '--url',
  type: '--type',
  event_id: '--event',
  since: '--since',
  until: '--until',
  state: '--state',
  receiver: '--url',
} as const;
