import { systemClock, toSeconds } from '../../core/clock.ts';
import { type Application, refuseFailure, withApplication } from '../application.ts';
import { createInterruption, createUsageError, EXIT } from '../failure.ts';
import { type Delivery, toLines, waitForAttempts } from '../hook/delivery.ts';
import { FILTER_OPTIONS, FLAG_NAMES, toStage } from '../hook/filter.ts';
import { type CommandSpec, getList, type Invocation, isOn, type Outcome } from '../spec.ts';

/** Seconds that one which was named by its id is waited for. */
const WAIT_SECONDS = 20;

type Stage = Readonly<Record<string, unknown>>;

export const command: CommandSpec = {
  arguments: [{ name: 'ids', description: 'ids of deliveries', isOptional: true, isRest: true }],
  options: [
    ...FILTER_OPTIONS,
    { name: 'failed', description: 'only what failed, or was kept while its receiver was disabled' },
  ],
  isWriting: true,
  examples: [
    'treadle webhook replay 42',
    'treadle webhook replay --failed --since "2026-01-15 09:00:00" --until 2026-01-16',
    'treadle webhook replay --event msg_Xk3 --dry-run',
  ],
  async run(invocation) {
    const ids = getList(invocation.values, 'ids');
    const filter = await toStage(invocation, toSeconds(systemClock.now()));
    if (ids.length > 0 && Object.keys(filter).length > 0)
      throw createUsageError('Ids and filters exclude each other.', 'Name deliveries, or narrow them by flags.');
    if (ids.length === 0 && Object.keys(filter).length === 0) {
      const hint = 'See: treadle webhook deliveries --state failed. For all that failed: --failed --since 30d';
      throw createUsageError('Name what to send again: ids, or a filter such as --since or --hook.', hint);
    }
    return withApplication(invocation, (app) =>
      ids.length > 0 ? replayEach(invocation, app, ids) : replayFound(invocation, app, filter),
    );
  },
};

/** Counts, or sends again in as many emits as that takes. */
async function replayAll(app: Application, stage: Stage, isDryRun: boolean): Promise<number> {
  let count = 0;
  let after: unknown;
  do {
    const part = { ...stage, ...(after === undefined ? {} : { after }), ...(isDryRun ? { dry_run: 1 } : {}) };
    const answer = await app.emit('webhook-delivery-replay', part);
    refuseFailure(answer, FLAG_NAMES);
    count += Number(answer.getResults('count'));
    after = answer.getResults('next') ?? undefined;
  } while (after !== undefined);
  return count;
}

async function replayFound(invocation: Invocation, app: Application, filter: Stage): Promise<Outcome> {
  const { isDryRun, isForced, prompt } = invocation;
  const stage = { ...filter, state: isOn(invocation.values, 'failed') ? 'failed,disabled' : 'any' };
  const found = await replayAll(app, stage, true);
  const words = `${found} deliver${found === 1 ? 'y' : 'ies'}`;
  if (isDryRun) return { data: { count: found, isDryRun }, lines: [`would send ${words} again`] };
  if (found > 1 && prompt && !isForced && !(await prompt.confirm(`Send ${words} again?`, false)))
    throw createInterruption();
  const count = await replayAll(app, stage, false);
  return {
    data: { count, isDryRun },
    lines:
      count === 0
        ? ['Nothing fits: nothing is sent again.']
        : [`${count} queued; what this command does not send, the running server sends.`],
    next: count === 0 ? [] : ['treadle webhook deliveries --state pending'],
  };
}

async function replayEach(invocation: Invocation, app: Application, ids: readonly string[]): Promise<Outcome> {
  const before = new Map<number, number>();
  for (const id of ids) {
    const found = await app.emit('webhook-delivery-detail', { delivery_id: id });
    if (found.isError()) throw createUsageError(`There is no delivery ${id}.`, 'See: treadle webhook deliveries');
    before.set(Number(found.getResults('delivery_id')), Number(found.getResults('attempts')));
  }
  if (invocation.isDryRun) {
    return {
      data: { count: before.size, isDryRun: true },
      lines: [`would send ${[...before.keys()].join(', ')} again`],
    };
  }
  for (const id of before.keys()) refuseFailure(await app.emit('webhook-delivery-replay', { delivery_id: id }));
  const rows = await waitForAttempts(app, before, WAIT_SECONDS);
  return toResult(rows);
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
