import { systemClock, toSeconds } from '../../core/clock.ts';
import { type Application, refuseFailure, withApplication } from '../application.ts';
import { createInterruption, createUsageError, EXIT } from '../failure.ts';
import {
  type Addressee,
  type Enabled,
  type Skipped,
  toAddresseeLines,
  toCounted,
  toEnabledLines,
  toSkippedLines,
} from '../hook/again.ts';
import { type Delivery, sendAndWait, toLines, toWords } from '../hook/delivery.ts';
import { FILTER_OPTIONS, FLAG_NAMES, refuseUnknown, toStage } from '../hook/filter.ts';
import { type CommandSpec, getList, type Invocation, isOn, type Outcome } from '../spec.ts';

/** Seconds for which one that was named by its id, and that the server has taken, is waited for. */
const WAIT_SECONDS = 20;

/** Status of an answer that nothing is sent as things are: an app waits for approval. */
const CONFLICT = 409;

/** For so long the log keeps deliveries. */
const KEPT_SECONDS = 30 * 86_400;
/** What says whom or what is meant; a time, a type or `--failed` alone may reach everybody. */
const NAMING = ['hook', 'client_id', 'url', 'event_id'] as const;

type Stage = Readonly<Record<string, unknown>>;
type Filter = Readonly<Record<string, string | undefined>>;

/** What was found or sent; of each list 100 at most. */
interface Sent {
  readonly count: number;
  readonly skipped: readonly Skipped[];
  readonly enabled: readonly Enabled[];
}

interface Found extends Sent {
  /** Those with the most first. */
  readonly receivers: readonly Addressee[];
}

interface Asked {
  readonly stage: Filter;
  /** Whether only what failed, or was kept, is meant. */
  readonly isFailed: boolean;
  /** Whether a flag names a hook, an app, an address or an event. */
  readonly isNamed: boolean;
}

export const command: CommandSpec = {
  arguments: [{ name: 'ids', description: 'ids of deliveries', isOptional: true, isRest: true }],
  options: [
    ...FILTER_OPTIONS,
    {
      name: 'failed',
      description:
        'only deliveries that failed, or were kept for a disabled receiver; alone: all of the last 30 days, after a confirmation',
    },
  ],
  isWriting: true,
  examples: [
    'treadle webhook replay 42',
    'treadle webhook replay --failed --dry-run',
    'treadle webhook replay --failed --since "2026-01-15 09:00:00" --until 2026-01-16',
    'treadle webhook replay --event msg_Xk3 --dry-run',
  ],
  async run(invocation) {
    const ids = getList(invocation.values, 'ids');
    const isFailed = isOn(invocation.values, 'failed');
    const now = toSeconds(systemClock.now());
    const filter = await toStage(invocation, now);
    const isNarrow = Object.keys(filter).length > 0;
    if (ids.length > 0 && (isNarrow || isFailed))
      throw createUsageError('Ids and filters cannot be combined.', 'Pass ids, or filter with flags.');
    if (ids.length > 0) return withApplication(invocation, (app) => replayEach(invocation, app, ids));
    if (!isNarrow && !isFailed) {
      const hint =
        'See: treadle webhook deliveries --state failed. For all that failed: treadle webhook replay --failed';
      throw createUsageError('Say what to send again: ids, --failed, or a filter such as --since or --hook.', hint);
    }
    const stage = isNarrow ? filter : { since: String(now - KEPT_SECONDS) };
    const isNamed = NAMING.some((key) => filter[key] !== undefined);
    return withApplication(invocation, (app) => replayFound(invocation, app, { stage, isFailed, isNamed }));
  },
};

/** How many deliveries a stage finds, for whom, who is left out and who would be enabled. */
async function count(app: Application, stage: Stage): Promise<Found> {
  const answer = await app.emit('webhook-delivery-replay', { ...stage, dry_run: 1 });
  refuseFailure(answer, FLAG_NAMES);
  return answer.getResults() as Found;
}

/** Sends again in as many emits as that takes. */
async function replayAll(app: Application, stage: Stage): Promise<Pick<Sent, 'count' | 'enabled'>> {
  const enabled: Enabled[] = [];
  let sent = 0;
  let after: unknown;
  do {
    const answer = await app.emit('webhook-delivery-replay', { ...stage, ...(after === undefined ? {} : { after }) });
    refuseFailure(answer, FLAG_NAMES);
    sent += Number(answer.getResults('count'));
    enabled.push(...(answer.getResults('enabled') as Enabled[]));
    after = answer.getResults('next') ?? undefined;
  } while (after !== undefined);
  return { count: sent, enabled };
}

/** Of when: `, since … and before … (UTC)`. */
function toSpan({ since, until }: Filter): string {
  const parts = [
    ...(since === undefined ? [] : [`since ${toWords(Number(since))}`]),
    ...(until === undefined ? [] : [`before ${toWords(Number(until))}`]),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(' and ')} (UTC)`;
}

async function replayFound(
  invocation: Invocation,
  app: Application,
  { stage: filter, isFailed, isNamed }: Asked,
): Promise<Outcome> {
  const { isDryRun } = invocation;
  await refuseUnknown(app, filter);
  const stage = { ...filter, state: isFailed ? 'failed,disabled' : 'any' };
  const found = await count(app, stage);
  const words = `${toCounted(found.count)}${isFailed ? ' that failed or were kept' : ''}${toSpan(filter)}`;
  const { receivers, skipped } = found;
  const left = toSkippedLines(skipped);
  const lines = [...toAddresseeLines(receivers), ...toEnabledLines(found.enabled, ENABLES), ...left];
  const data = {
    count: found.count,
    isDryRun,
    since: toNumber(filter.since),
    receivers,
    enabled: found.enabled,
    skipped,
  };
  if (isDryRun) return { data, lines: [`would send again: ${words}`, ...lines] };
  if (found.count === 0) return { data, lines: ['No delivery matches, so nothing is sent.', ...left] };
  await agree(invocation, { words, lines, isNamed, isSeveral: found.count > 1 });
  const sent = await replayAll(app, stage);
  const told = [`${sent.count} queued; the running server sends them.`, ...toEnabledLines(sent.enabled, ENABLED)];
  return {
    data: { ...data, ...sent },
    lines: [...told, ...left],
    next: ['treadle webhook deliveries --state pending'],
  };
}

const ENABLES = 'These receivers are disabled and would be enabled:';
const ENABLED = 'These receivers were disabled and are now enabled:';

const toNumber = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/**
 * Asks a person before several are sent again. Where nobody can be asked, a yes is needed where nothing is named: a hook,
 * an app, an address or an event has said what is meant.
 *
 * @throws CLI_INTERRUPTED, CLI_USAGE
 */
async function agree(
  { isForced, prompt, terminal }: Invocation,
  told: {
    readonly words: string;
    readonly lines: readonly string[];
    readonly isNamed: boolean;
    readonly isSeveral: boolean;
  },
): Promise<void> {
  const { words, lines, isNamed, isSeveral } = told;
  if (isForced || (isNamed && !(prompt && isSeveral))) return;
  if (!prompt) {
    const hint = ['Pass --yes, or filter with --hook, --app, --url or --event. Receivers:', ...lines].join('\n');
    throw createUsageError(`Without a hook, app, URL or event, this sends all of them again: ${words}.`, hint);
  }
  for (const line of [`${words}:`, ...lines]) terminal.say(line);
  if (!(await prompt.confirm('Send them again?', false))) throw createInterruption();
}

async function replayEach(invocation: Invocation, app: Application, ids: readonly string[]): Promise<Outcome> {
  const before = new Map<number, number>();
  for (const id of ids) {
    const found = await app.emit('webhook-delivery-detail', { delivery_id: id });
    if (found.isError())
      throw createUsageError(`There is no delivery ${id}; the log holds 30 days.`, 'See: treadle webhook deliveries');
    before.set(Number(found.getResults('delivery_id')), Number(found.getResults('attempts')));
  }
  return invocation.isDryRun ? tryEach(app, [...before.keys()]) : sendEach(app, before);
}

/** What sending these again would do. */
async function tryEach(app: Application, ids: readonly number[]): Promise<Outcome> {
  const sendable: number[] = [];
  const skipped: Skipped[] = [];
  const enabled: Enabled[] = [];
  for (const id of ids) {
    const found = await count(app, { delivery_id: id });
    if (found.count > 0) sendable.push(id);
    skipped.push(...found.skipped);
    enabled.push(...found.enabled);
  }
  return {
    data: { count: sendable.length, isDryRun: true, enabled, skipped },
    lines: [
      `would send ${sendable.join(', ') || 'nothing'} again`,
      ...toEnabledLines(enabled, ENABLES),
      ...toSkippedLines(skipped),
    ],
  };
}

/** Sends those that can be; of the others it tells why not, and fails. */
async function sendEach(app: Application, before: ReadonlyMap<number, number>): Promise<Outcome> {
  const sent = new Map<number, number>();
  const enabled: Enabled[] = [];
  const refused: { delivery_id: number; reason: string }[] = [];
  for (const [id, attempts] of before) {
    const answer = await app.emit('webhook-delivery-replay', { delivery_id: id });
    if (answer.isError() && answer.getStatus() === CONFLICT) {
      refused.push({ delivery_id: id, reason: answer.getMessage() ?? '' });
      continue;
    }
    refuseFailure(answer);
    enabled.push(...(answer.getResults('enabled') as Enabled[]));
    sent.set(id, attempts);
  }
  const rows = sent.size === 0 ? [] : await sendAndWait(app, sent, WAIT_SECONDS);
  const result = toResult(rows, { enabled, skipped: refused });
  const isRefused = refused.length > 0;
  return {
    ...result,
    data: { ...(result.data as object), ...(isRefused ? { error: true } : {}) },
    lines: [
      ...(rows.length === 0 ? [] : (result.lines ?? [])),
      ...toEnabledLines(enabled, ENABLED),
      ...refused.map(({ delivery_id: id, reason }) => `Not sent: ${id}. ${reason}`),
    ],
    ...(isRefused ? { exitCode: EXIT.failed } : {}),
  };
}

/** What became of deliveries; fails where one was not delivered. */
export function toResult(rows: readonly Delivery[], more: Stage = {}): Outcome {
  const failed = rows.find((row) => row.state !== 'delivered');
  return {
    data: { ...more, error: failed !== undefined, rows },
    lines: toLines(rows),
    next: [],
    exitCode: failed === undefined ? EXIT.done : EXIT.failed,
  };
}
