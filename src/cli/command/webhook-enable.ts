import { systemClock, toSeconds } from '../../core/clock.ts';
import { refuseFailure, withApplication } from '../application.ts';
import { getDefinition, readDefinitions } from '../definition.ts';
import { toTime } from '../hook/filter.ts';
import { RECEIVER_OPTIONS, toReceiverStage } from '../hook/receiver.ts';
import { type ArgumentSpec, type CommandSpec, findText, getText, type Invocation } from '../spec.ts';

const NAME: ArgumentSpec = { name: 'name', description: 'name of the hook', of: 'webhook' };
const NAMES = { receiver: '<name>', since: '--since' } as const;

const countReceivers = (count: unknown): string => `${count} receiver${count === 1 ? '' : 's'}`;

/** The stage of a hook that is defined. @throws CLI_USAGE where it is not. */
async function toStage(invocation: Invocation): Promise<Record<string, string>> {
  getDefinition(await readDefinitions(invocation), 'webhook', getText(invocation.values, 'name'));
  return toReceiverStage(invocation);
}

export const enable: CommandSpec = {
  arguments: [NAME],
  options: [
    ...RECEIVER_OPTIONS,
    { name: 'since', value: 'time', description: 'sends what it missed from this time only, such as 2026-01-15 or 2h' },
    { name: 'no-catch-up', description: 'sends nothing of what it missed' },
  ],
  isWriting: true,
  examples: [
    'treadle webhook enable profile-created --app reader',
    'treadle webhook enable profile-created --no-catch-up',
  ],
  async run(invocation) {
    const { values } = invocation;
    const since = toTime(findText(values, 'since'), toSeconds(systemClock.now()));
    const stage = {
      ...(await toStage(invocation)),
      ...(since === undefined ? {} : { since }),
      catch_up: values['catch-up'] === false ? 0 : 1,
    };
    if (invocation.isDryRun)
      return { data: { stage, isDryRun: true }, lines: [`would enable ${getText(invocation.values, 'name')}`] };
    return withApplication(invocation, async (app) => {
      const answer = await app.emit('webhook-receiver-enable', stage);
      refuseFailure(answer, NAMES);
      const { receivers, count } = answer.getResults() as { receivers: number; count: number };
      return {
        data: { receivers, count },
        lines: [`enabled ${countReceivers(receivers)}; ${count} of what was missed is sent again`],
        next: ['treadle webhook receivers'],
      };
    });
  },
};

export const disable: CommandSpec = {
  arguments: [NAME],
  options: [...RECEIVER_OPTIONS, { name: 'reason', value: 'text', description: 'why, for the log' }],
  isWriting: true,
  examples: ['treadle webhook disable profile-created --app reader --reason "Moving house"'],
  async run(invocation) {
    const reason = findText(invocation.values, 'reason');
    const stage = { ...(await toStage(invocation)), ...(reason === undefined ? {} : { reason }) };
    if (invocation.isDryRun)
      return { data: { stage, isDryRun: true }, lines: [`would disable ${getText(invocation.values, 'name')}`] };
    return withApplication(invocation, async (app) => {
      const answer = await app.emit('webhook-receiver-disable', stage);
      refuseFailure(answer, NAMES);
      const receivers = answer.getResults('receivers');
      return {
        data: { receivers },
        lines: [`disabled ${countReceivers(receivers)}; what happens now is kept for 30 days`],
        next: [`treadle webhook enable ${getText(invocation.values, 'name')}`],
      };
    });
  },
};
