import { systemClock, toSeconds } from '../../core/clock.ts';
import { toObject } from '../../core/record.ts';
import { type Application, getResults, refuseFailure, runSteps } from '../application.ts';
import { createRefusal, createUsageError, EXIT, toErrorMembers } from '../failure.ts';
import {
  type Addressee,
  type EnabledReceiver,
  type SkippedReceiver,
  toAddresseeLines,
  toCounted,
  toEnabledLines,
  toSkippedLines,
} from '../hook/again.ts';
import { getDelivery, sendAndWait, toResult, toWords } from '../hook/delivery.ts';
import { FILTER_OPTIONS, FLAG_NAMES, refuseUnknown, toStage } from '../hook/filter.ts';
import { type CommandSpec, getList, type Invocation, isOn, type Outcome } from '../spec.ts';

/** Status of an answer that nothing is sent as things are: an app waits for approval. */
const CONFLICT = 409;

/** How long the log stores deliveries. */
const RETENTION_SECONDS = 30 * 86_400;
/** Options that name a target; the others alone may match every receiver. */
const NAMING = ['hook', 'client_id', 'url', 'event_id'] as const;

type Stage = Readonly<Record<string, unknown>>;
type Filter = Readonly<Record<string, string | undefined>>;

/** What was found or sent; of each list 100 at most. */
interface ReplayResult {
  readonly count: number;
  readonly skipped: readonly SkippedReceiver[];
  readonly enabled: readonly EnabledReceiver[];
}

interface ReplayPreview extends ReplayResult {
  /** Those with the most first. */
  readonly receivers: readonly Addressee[];
}

const REPLAY = 'webhook-delivery-replay';
const ENABLES = 'These receivers are disabled and would be enabled:';
const ENABLED = 'These receivers were disabled and are now enabled:';

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
    const filter = await toStage(invocation);
    const isNarrow = Object.keys(filter).length > 0;
    if (ids.length > 0 && (isNarrow || isFailed))
      throw createUsageError('Ids and filters cannot be combined.', 'Pass ids, or filter with flags.');
    if (ids.length > 0) return replayEach(invocation, ids);
    if (!isNarrow && !isFailed) {
      const hint =
        'See: treadle webhook deliveries --state failed. For all that failed: treadle webhook replay --failed';
      throw createUsageError('Say what to send again: ids, --failed, or a filter such as --since or --hook.', hint);
    }
    const since = String(toSeconds(systemClock.now()) - RETENTION_SECONDS);
    return replayFound(invocation, isNarrow ? filter : { since }, isFailed);
  },
};

/** Counts what a stage selects. */
const count = (app: Application, stage: Stage): Promise<ReplayPreview> =>
  getResults<ReplayPreview>(app, REPLAY, { ...stage, dry_run: 1 }, FLAG_NAMES);

/** Sends again, in parts. */
async function replayAll(app: Application, stage: Stage): Promise<Pick<ReplayResult, 'count' | 'enabled'>> {
  const enabled: EnabledReceiver[] = [];
  let sent = 0;
  let part: Stage = {};
  do {
    const results = await getResults<ReplayResult & { next: number | null }>(
      app,
      REPLAY,
      { ...stage, ...part },
      FLAG_NAMES,
    );
    sent += results.count;
    enabled.push(...results.enabled);
    part = results.next === null ? {} : { after: results.next };
  } while (part.after !== undefined);
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

function replayFound(invocation: Invocation, filter: Filter, isFailed: boolean): Promise<Outcome> {
  const stage = { ...filter, state: isFailed ? 'failed,disabled' : 'any' };
  const toText = (found: ReplayPreview): string =>
    `${toCounted(found.count)}${isFailed ? ' that failed or were kept' : ''}${toSpan(filter)}`;
  const toFoundLines = ({ receivers, enabled, skipped }: ReplayPreview): string[] => [
    ...toAddresseeLines(receivers),
    ...toEnabledLines(enabled, ENABLES),
    ...toSkippedLines(skipped),
  ];
  const toData = ({ count, receivers, enabled, skipped }: ReplayPreview) => {
    const since = filter.since === undefined ? null : Number(filter.since);
    return { count, isDryRun: invocation.isDryRun, since, receivers, enabled, skipped };
  };
  return runSteps(invocation, {
    async find(app) {
      await refuseUnknown(app, filter);
      return count(app, stage);
    },
    show: (found) => ({ data: toData(found), lines: [`would send again: ${toText(found)}`, ...toFoundLines(found)] }),
    async agree(found) {
      const isNamed = NAMING.some((key) => filter[key] !== undefined);
      if (found.count === 0) return;
      await agree(invocation, { text: toText(found), lines: toFoundLines(found), isNamed, isSeveral: found.count > 1 });
    },
    async run(found, app) {
      const [data, left] = [toData(found), toSkippedLines(found.skipped)];
      if (found.count === 0) return { data, lines: ['No delivery matches, so nothing is sent.', ...left] };
      const sent = await replayAll(app, stage);
      const lines = [`${sent.count} queued; the running server sends them.`, ...toEnabledLines(sent.enabled, ENABLED)];
      const next = ['treadle webhook deliveries --state pending'];
      return { data: { ...data, ...sent }, lines: [...lines, ...left], next };
    },
  });
}

/**
 * Asks the user before several deliveries are sent again. Without a terminal, `--yes` is required unless a flag names a
 * hook, an app, a URL or an event.
 *
 * @throws CLI_DECLINED, CLI_USAGE
 */
async function agree(
  { isForced, prompt, terminal }: Invocation,
  found: {
    readonly text: string;
    readonly lines: readonly string[];
    readonly isNamed: boolean;
    readonly isSeveral: boolean;
  },
): Promise<void> {
  const { text, lines, isNamed, isSeveral } = found;
  if (isForced || (isNamed && !(prompt && isSeveral))) return;
  if (!prompt) {
    const hint = ['Pass --yes, or filter with --hook, --app, --url or --event. Receivers:', ...lines].join('\n');
    throw createUsageError(`Without a hook, app, URL or event, this sends all of them again: ${text}.`, hint);
  }
  for (const line of [`${text}:`, ...lines]) terminal.say(line);
  if (!(await prompt.confirm('Send them again?', false))) throw createRefusal();
}

const replayEach = (invocation: Invocation, ids: readonly string[]): Promise<Outcome> =>
  runSteps(invocation, { find: (app) => findAttempts(app, ids), show: showEach, run: sendEach });

/** The deliveries by id, with the number of attempts of each. */
async function findAttempts(app: Application, ids: readonly string[]): Promise<Map<number, number>> {
  const attempts = new Map<number, number>();
  for (const id of ids) {
    const found = await getDelivery(app, id);
    attempts.set(Number(found.delivery_id), Number(found.attempts));
  }
  return attempts;
}

async function showEach(before: ReadonlyMap<number, number>, app: Application): Promise<Outcome> {
  const sendable: number[] = [];
  const skipped: SkippedReceiver[] = [];
  const enabled: EnabledReceiver[] = [];
  for (const id of before.keys()) {
    const found = await count(app, { delivery_id: id });
    if (found.count > 0) sendable.push(id);
    skipped.push(...found.skipped);
    enabled.push(...found.enabled);
  }
  const line = `would send ${sendable.join(', ') || 'nothing'} again`;
  return {
    data: { count: sendable.length, isDryRun: true, enabled, skipped },
    lines: [line, ...toEnabledLines(enabled, ENABLES), ...toSkippedLines(skipped)],
  };
}

/** Sends the deliveries that can be sent. Fails if one cannot. */
async function sendEach(found: ReadonlyMap<number, number>, app: Application): Promise<Outcome> {
  const before = new Map<number, number>();
  const enabled: EnabledReceiver[] = [];
  const skipped: { delivery_id: number; reason: string }[] = [];
  for (const [id, attempts] of found) {
    const answer = await app.emit(REPLAY, { delivery_id: id });
    if (answer.isError() && answer.getStatus() === CONFLICT) {
      skipped.push({ delivery_id: id, reason: answer.getMessage() ?? '' });
      continue;
    }
    refuseFailure(answer);
    enabled.push(...answer.getResults<EnabledReceiver[]>('enabled'));
    before.set(id, attempts);
  }
  const rows = before.size === 0 ? [] : await sendAndWait(app, { before });
  const { data, lines = [], ...result } = toResult(app, rows, { enabled, skipped });
  const isFailed = skipped.length > 0;
  return {
    ...result,
    data: { ...toObject(data), ...(isFailed ? toErrorMembers('CLI_FAILED') : {}) },
    lines: [
      ...(rows.length === 0 ? [] : lines),
      ...toEnabledLines(enabled, ENABLED),
      ...skipped.map(({ delivery_id: id, reason }) => `Not sent: ${id}. ${reason}`),
    ],
    ...(isFailed ? { exitCode: EXIT.failed } : {}),
  };
}
