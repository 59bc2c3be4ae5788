import { systemClock, toSeconds } from '../../core/clock.ts';
import { refuseFailure, withApplication } from '../application.ts';
import { readDefinitions } from '../definition.ts';
import { type Skipped, toSkippedLines } from '../hook/again.ts';
import { getHook } from '../hook/known.ts';
import { findReceivers, getReceivers, RECEIVER_LIMIT, RECEIVER_OPTIONS, toReceiverStage } from '../hook/receiver.ts';
import { toTime } from '../hook/time.ts';
import { type ArgumentSpec, type CommandSpec, findText, getText, type Invocation, refuseEmpty } from '../spec.ts';

const NAME: ArgumentSpec = { name: 'name', description: 'name of the hook', of: 'webhook' };
const countReceivers = (count: number): string => `${count} receiver${count === 1 ? '' : 's'}`;

/** How many of so many are enabled. A search that is full may have left some out: then it is no exact number. */
function toEnabledWords(disabled: number, all: number): string {
  if (disabled >= RECEIVER_LIMIT) return `${RECEIVER_LIMIT} or more receivers`;
  const others = all - disabled;
  const more = others === 0 ? '' : `; ${others} ${others === 1 ? 'was' : 'were'} not disabled`;
  return `${countReceivers(disabled)}${more}`;
}

interface Answer {
  readonly receivers: number;
  readonly count: number;
  readonly skipped: readonly Skipped[];
}

/** The stage of a hook that there is. @throws CLI_USAGE where there is none. */
async function toStage(invocation: Invocation): Promise<Record<string, string>> {
  await getHook(invocation, await readDefinitions(invocation), getText(invocation.values, 'name'));
  return toReceiverStage(invocation);
}

export const enable: CommandSpec = {
  arguments: [NAME],
  options: [
    ...RECEIVER_OPTIONS,
    {
      name: 'since',
      value: 'time',
      description: 'sends only what it missed since this time, such as 2026-01-15 or 2h',
    },
    { name: 'no-catch-up', description: 'does not send what it missed' },
  ],
  isWriting: true,
  examples: [
    'treadle webhook enable profile-created --app reader',
    'treadle webhook enable profile-created --no-catch-up',
  ],
  async run(invocation) {
    const { values } = invocation;
    refuseEmpty(values, ['since']);
    const since = toTime('--since', findText(values, 'since'), toSeconds(systemClock.now()));
    const to = await toStage(invocation);
    const stage = {
      ...to,
      ...(since === undefined ? {} : { since }),
      catch_up: values['catch-up'] === false ? 0 : 1,
    };
    return withApplication(invocation, async (app) => {
      const found = await getReceivers(app, to);
      const { length: enabled } = await findReceivers(app, { ...to, state: 'disabled' });
      if (invocation.isDryRun) {
        const lines = [`would enable ${toEnabledWords(enabled, found.length)}`];
        return { data: { stage, enabled, isDryRun: true }, lines };
      }
      const answer = await app.emit('webhook-receiver-enable', stage);
      refuseFailure(answer);
      const { receivers, count, skipped } = answer.getResults() as Answer;
      return {
        data: { receivers, enabled, count, skipped },
        lines: [
          `enabled ${toEnabledWords(enabled, receivers)}; ${count} missed ${count === 1 ? 'delivery is' : 'deliveries are'} sent again`,
          ...toSkippedLines(skipped),
        ],
        next: ['treadle webhook receivers'],
      };
    });
  },
};

export const disable: CommandSpec = {
  arguments: [NAME],
  options: [...RECEIVER_OPTIONS, { name: 'reason', value: 'text', description: 'reason, for the log' }],
  isWriting: true,
  examples: ['treadle webhook disable profile-created --app reader --reason "Moving house"'],
  async run(invocation) {
    const reason = findText(invocation.values, 'reason');
    const to = await toStage(invocation);
    const stage = { ...to, ...(reason === undefined ? {} : { reason }) };
    return withApplication(invocation, async (app) => {
      const found = await getReceivers(app, to);
      if (invocation.isDryRun)
        return { data: { stage, isDryRun: true }, lines: [`would disable ${countReceivers(found.length)}`] };
      const answer = await app.emit('webhook-receiver-disable', stage);
      refuseFailure(answer);
      const receivers = answer.getResults('receivers');
      return {
        data: { receivers },
        lines: [`disabled ${countReceivers(Number(receivers))}; deliveries are kept for 30 days`],
        next: [`treadle webhook enable ${getText(invocation.values, 'name')}`],
      };
    });
  },
};
