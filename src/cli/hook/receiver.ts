import { toDidYouMean } from '../../core/text/suggest.ts';
import { type Application, getResults } from '../application.ts';
import { toQuoted } from '../complete.ts';
import { createUsageError } from '../failure.ts';
import { findText, type Invocation, type OptionSpec } from '../spec.ts';
import { getClient } from './app.ts';
import { toWords } from './delivery.ts';
import { toStage } from './filter.ts';

/** A receiver as `webhook-receiver-search` gives it; times in unix seconds. */
export interface Receiver {
  readonly hook: string;
  readonly url: string;
  readonly client_id: string | null;
  readonly state: string;
  /** Whether the app waits for the hook's approval: nothing is sent before. */
  readonly waiting: boolean;
  readonly failing_since: number | null;
  readonly disabled_at: number | null;
  readonly disabled_reason: string | null;
  readonly last_success_at: number | null;
  /** What came back last from one that fails: a status, or why there was none. */
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly queued: number;
  readonly missed: number;
}

/** Receivers that one search gives at most. */
export const RECEIVER_LIMIT = 100;

/** Which of a hook's receivers; all of them where neither is given. */
export const RECEIVER_OPTIONS: readonly OptionSpec[] = [
  { name: 'app', value: 'app', description: 'only this app: a name in config/app, or a client id' },
  { name: 'url', value: 'url', description: 'only this URL' },
];

/** The flags, and the hook of the argument, as the events' stage. */
export async function readReceiverStage(
  invocation: Invocation,
  options: readonly OptionSpec[] = RECEIVER_OPTIONS,
): Promise<Record<string, string>> {
  const hook = findText(invocation.values, 'name');
  return { ...(hook === undefined ? {} : { hook }), ...(await toStage(invocation, options, getClient)) };
}

/** The receivers of a stage, at most {@link RECEIVER_LIMIT}. @throws CLI_EVENT_FAILED */
export const findReceivers = async (
  app: Application,
  stage: Readonly<Record<string, string>>,
): Promise<readonly Receiver[]> => (await getResults<{ rows: Receiver[] }>(app, 'webhook-receiver-search', stage)).rows;

/** A receiver's URL and app. */
export const toReceiverText = ({ url, client_id: client }: Pick<Receiver, 'url' | 'client_id'>): string =>
  client === null ? url : `${url} (${client})`;

/**
 * The receivers of one hook that the flags leave.
 *
 * @throws CLI_USAGE where there are none; it names what leaves none, and what there is.
 */
export async function getReceivers(
  app: Application,
  stage: Readonly<Record<string, string>>,
): Promise<readonly Receiver[]> {
  const found = await findReceivers(app, stage);
  if (found.length > 0) return found;
  const { hook = '', url, client_id: client } = stage;
  const others = await findReceivers(app, { hook });
  if (others.length === 0) {
    const hint = `Give it a URL: treadle webhook update ${hook} --url <url>. Or let an app receive it: treadle app update <app> --add-hook ${hook}`;
    throw createUsageError(`Nobody receives "${hook}": it has no URL, and no app lists it.`, hint);
  }
  const see = `See: treadle webhook receivers --hook ${hook}`;
  const ofApp = client === undefined ? others : others.filter((each) => each.client_id === client);
  if (ofApp.length === 0) throw createUsageError(`--app: this app does not receive "${hook}".`, see);
  const urls = new Set(ofApp.map((each) => each.url));
  throw createUsageError(
    `--url can't be "${url}": "${hook}" is not sent there.`,
    `${toDidYouMean(url ?? '', urls)} ${see}`,
  );
}

/** A receiver of this hook as a command's flags name it. */
const toFlags = ({ client_id: client, url }: Receiver): string =>
  client === null ? `--url ${toQuoted(url)}` : `--app ${toQuoted(client)}`;

/** Why nothing was sent to a receiver of a hook that is disabled, and what sends to it again: one entry a line. */
export function toDisabledLines(off: Receiver): string[] {
  const { hook, disabled_at: at, disabled_reason: reason } = off;
  const since = at === null ? '' : ` since ${toWords(at)} (UTC)`;
  const why = reason === null || reason === '' ? '' : `: ${reason}`;
  return [
    `Not sent: ${toReceiverText(off)} is disabled${since}${why}`,
    `Its deliveries are kept for 30 days. To enable it: treadle webhook enable ${hook} ${toFlags(off)}`,
  ];
}
