import { getResults, runSteps } from '../application.ts';
import { readDefinitions } from '../change/definition.ts';
import { type SkippedReceiver, toSkippedLines } from '../hook/again.ts';
import { getHook } from '../hook/known.ts';
import { findReceivers, getReceivers, RECEIVER_LIMIT, RECEIVER_OPTIONS, readReceiverStage } from '../hook/receiver.ts';
import { type CommandSpec, findText, getText, type Outcome, type Values } from '../spec.ts';

const countReceivers = (count: number): string => `${count} receiver${count === 1 ? '' : 's'}`;

interface ReceiverCounts {
  readonly all: number;
  readonly disabled: number;
}

/** Number of receivers to enable. Not exact if the search reached its limit. */
function toEnabledWords({ all, disabled }: ReceiverCounts): string {
  if (disabled >= RECEIVER_LIMIT) return `${RECEIVER_LIMIT} or more receivers`;
  const others = all - disabled;
  const more = others === 0 ? '' : `; ${others} ${others === 1 ? 'was' : 'were'} not disabled`;
  return `${countReceivers(disabled)}${more}`;
}

/** A command that changes the receivers of a hook by an event. */
interface Change<T> extends Pick<CommandSpec, 'examples'> {
  readonly event: string;
  readonly options: NonNullable<CommandSpec['options']>;
  readonly toStage: (values: Values) => Readonly<Record<string, unknown>>;
  readonly toShown: (found: ReceiverCounts) => { readonly data?: object; readonly line: string };
  readonly toDone: (results: T, found: ReceiverCounts, hook: string) => Outcome;
}

const createCommand = <T>({ event, options, examples, toStage, toShown, toDone }: Change<T>): CommandSpec => ({
  arguments: [{ name: 'name', description: 'name of the hook', of: 'webhook' }],
  options: [...RECEIVER_OPTIONS, ...options],
  isWriting: true,
  examples,
  async run(invocation) {
    const name = getText(invocation.values, 'name');
    await getHook(invocation, await readDefinitions(invocation), name);
    const { since, ...to } = await readReceiverStage(invocation, [...RECEIVER_OPTIONS, ...options]);
    const stage = { ...to, ...(since === undefined ? {} : { since }), ...toStage(invocation.values) };
    return runSteps(invocation, {
      async find(app) {
        const { length: all } = await getReceivers(app, to);
        const { length: disabled } = await findReceivers(app, { ...to, state: 'disabled' });
        return { all, disabled };
      },
      show(found) {
        const { data, line } = toShown(found);
        return { data: { stage, ...data, isDryRun: true }, lines: [line] };
      },
      run: async (found, app) => toDone(await getResults<T>(app, event, stage), found, name),
    });
  },
});

export const enable = createCommand<{ receivers: number; count: number; skipped: readonly SkippedReceiver[] }>({
  event: 'webhook-receiver-enable',
  options: [
    {
      name: 'since',
      value: 'time',
      description: 'sends only what it missed since this time, such as 2026-01-15 or 2h',
    },
    { name: 'no-catch-up', description: 'does not send what it missed' },
  ],
  examples: [
    'treadle webhook enable profile-created --app reader',
    'treadle webhook enable profile-created --no-catch-up',
  ],
  toStage: (values) => ({ catch_up: values['catch-up'] === false ? 0 : 1 }),
  toShown: (found) => ({ data: { enabled: found.disabled }, line: `would enable ${toEnabledWords(found)}` }),
  toDone: ({ receivers, count, skipped }, { disabled }) => ({
    data: { receivers, enabled: disabled, count, skipped },
    lines: [
      `enabled ${toEnabledWords({ all: receivers, disabled })}; ${count} missed ${count === 1 ? 'delivery is' : 'deliveries are'} sent again`,
      ...toSkippedLines(skipped),
    ],
    next: ['treadle webhook receivers'],
  }),
});

export const disable = createCommand<{ receivers: number }>({
  event: 'webhook-receiver-disable',
  options: [{ name: 'reason', value: 'text', description: 'reason, for the log' }],
  examples: ['treadle webhook disable profile-created --app reader --reason "Moving house"'],
  toStage(values) {
    const reason = findText(values, 'reason');
    return reason === undefined ? {} : { reason };
  },
  toShown: ({ all }) => ({ line: `would disable ${countReceivers(all)}` }),
  toDone: ({ receivers }, _, name) => ({
    data: { receivers },
    lines: [`disabled ${countReceivers(receivers)}; deliveries are kept for 30 days`],
    next: [`treadle webhook enable ${name}`],
  }),
});
