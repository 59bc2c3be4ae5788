import type { Response } from '../../core/response.ts';
import { toDidYouMean } from '../../core/suggest.ts';
import { type Application, refuseFailure, toFailureText } from '../application.ts';
import { createUsageError } from '../failure.ts';
import { findText, type Invocation, type OptionSpec, refuseEmpty } from '../spec.ts';
import { findLoggedClient } from './app.ts';
import { toTime } from './time.ts';

/** What narrows the log of deliveries; each is a stage key of its events. */
export const FILTER_OPTIONS: readonly OptionSpec[] = [
  { name: 'hook', value: 'name', description: 'of this web hook' },
  { name: 'app', value: 'app', description: 'to this app: a name in config/app, or a client id' },
  { name: 'url', value: 'url', description: 'to this URL' },
  { name: 'type', value: 'type', description: 'of this type, such as profile.created' },
  { name: 'event', value: 'id', description: 'of this event, msg_…' },
  {
    name: 'since',
    value: 'time',
    description: 'from this time on: 2026-01-15, "2026-01-15 09:30:00" (UTC), or 2h, 3d, 2w ago',
  },
  { name: 'until', value: 'time', description: 'before this time, in the same form' },
];

/**
 * The flags as a stage; what was not given is left out.
 *
 * @param now Unix seconds.
 * @throws CLI_USAGE where a flag is empty, a time is none, nothing lies in the span, or there is no such app.
 */
export async function toStage(invocation: Invocation, now: number): Promise<Record<string, string>> {
  const { values } = invocation;
  refuseEmpty(
    values,
    FILTER_OPTIONS.map(({ name }) => name),
  );
  const app = findText(values, 'app');
  const since = toTime('--since', findText(values, 'since'), now);
  const until = toTime('--until', findText(values, 'until'), now);
  if (since !== undefined && until !== undefined && Number(since) >= Number(until))
    throw createUsageError('--since is not before --until.', 'Give an earlier --since or a later --until.');
  const client = app === undefined ? undefined : await findLoggedClient(invocation, app);
  const stage = {
    hook: findText(values, 'hook'),
    client_id: client,
    url: findText(values, 'url'),
    type: findText(values, 'type'),
    event_id: findText(values, 'event'),
    since,
    until,
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

const isLogged = async (app: Application, stage: Readonly<Record<string, string>>): Promise<boolean> => {
  const answer = await app.emit('webhook-delivery-search', { ...stage, limit: 1 });
  return !answer.isError() && answer.getResults('rows', 0) !== undefined;
};

/**
 * Holds `--hook` and `--type` to what there is, or what the log has of hooks that were removed: a mistyped name would
 * read as an answer.
 *
 * @throws CLI_USAGE with a "did you mean".
 */
export async function refuseUnknown(
  app: Application,
  stage: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { hooks } = app.plan;
  const known = { hook: hooks.map(({ name }) => name), type: hooks.map(({ definition }) => definition.type) };
  const words = { hook: 'no web hook has that name', type: 'no web hook has that type' };
  for (const key of ['hook', 'type'] as const) {
    const word = stage[key];
    if (word === undefined || known[key].includes(word) || (await isLogged(app, { [key]: word }))) continue;
    throw createUsageError(`--${key} can't be "${word}": ${words[key]}.`, toDidYouMean(word, new Set(known[key])));
  }
}

/** As `refuseFailure`; what the events call wrong in a stage is wrong use of a flag. @throws CLI_USAGE, CLI_EVENT_FAILED */
export function refuseWrong(answer: Response): void {
  if (answer.isError() && answer.getStatus() === 422)
    throw createUsageError(toFailureText(answer, FLAG_NAMES).join('\n'));
  refuseFailure(answer, FLAG_NAMES);
}
