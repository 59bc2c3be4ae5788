import { parseTime, systemClock, toSeconds } from '../../core/clock.ts';
import type { Response } from '../../core/request/response.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { type Application, refuseFailure, toFailureText } from '../application.ts';
import { createUsageError } from '../failure.ts';
import { findText, type Invocation, type OptionSpec, refuseEmpty } from '../spec.ts';
import { findLoggedClient, isLogged } from './app.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

const HINT = 'Write 2026-01-15, "2026-01-15 09:30:00" (UTC), unix seconds, or how long ago: 30m, 2h, 3d, 2w.';

/**
 * A flag's time as unix seconds, in digits; undefined where it was not given.
 *
 * @param flag Such as `--since`, for the message.
 * @param now Unix seconds.
 * @throws CLI_USAGE where it is not a time.
 */
export function toTime(flag: string, text: string | undefined, now: number): string | undefined {
  if (text === undefined || /^\d{1,12}$/.test(text)) return text;
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const seconds = count === undefined ? parseTime(text) : Math.max(0, now - Number(count) * (UNITS[unit] ?? 0));
  if (seconds === undefined) throw createUsageError(`${flag} can't be "${text}": it is not a time.`, HINT);
  return String(seconds);
}

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

/** The stage key of each flag. */
const STAGE_KEYS: Readonly<Record<string, string>> = {
  hook: 'hook',
  app: 'client_id',
  url: 'url',
  type: 'type',
  event: 'event_id',
  since: 'since',
  until: 'until',
  state: 'state',
};

/** The flags by their stage keys, for messages of events. */
export const FLAG_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(STAGE_KEYS).map(([flag, key]) => [key, `--${flag}`])),
  receiver: '--url',
};

/**
 * The given flags as a stage.
 *
 * @param findClient Finds the client id of `--app`.
 * @throws CLI_USAGE if a flag is empty or no time, if no time is between `--since` and `--until`, or if the app does not
 * exist.
 */
export async function toStage(
  invocation: Invocation,
  options: readonly OptionSpec[] = FILTER_OPTIONS,
  findClient: (invocation: Invocation, word: string) => Promise<string> = findLoggedClient,
): Promise<Record<string, string>> {
  const { values } = invocation;
  const flags = options.map(({ name }) => name);
  refuseEmpty(values, flags);
  const now = toSeconds(systemClock.now());
  const stage: Record<string, string> = {};
  for (const flag of flags) {
    const [key, text] = [STAGE_KEYS[flag], findText(values, flag)];
    if (key === undefined || text === undefined) continue;
    if (flag === 'app') stage[key] = await findClient(invocation, text);
    else stage[key] = (flag === 'since' || flag === 'until' ? toTime(`--${flag}`, text, now) : undefined) ?? text;
  }
  const { since, until } = stage;
  if (since !== undefined && until !== undefined && Number(since) >= Number(until))
    throw createUsageError('--since is not before --until.', 'Give an earlier --since or a later --until.');
  return stage;
}

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
