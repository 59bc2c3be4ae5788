import { toDidYouMean } from '../../core/text/suggest.ts';
import { type Application, getResults, withApplication } from '../application.ts';
import { createUsageError, EXIT, toErrorMembers } from '../failure.ts';
import { getClient } from '../hook/app.ts';
import { type Delivery, sendAndWait, toResult } from '../hook/delivery.ts';
import { findReceivers, getReceivers, type Receiver, toDisabledLines } from '../hook/receiver.ts';
import { type CommandSpec, findText, getText, type Invocation, isOn, type Outcome, refuseEmpty } from '../spec.ts';

/** Results of `webhook-test`; `rows` if it named its receivers. */
interface TestResult {
  readonly event_id: string;
  readonly rows?: readonly Delivery[];
}

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the hook', of: 'webhook' }],
  options: [
    { name: 'app', value: 'app', description: 'only to this app: a name in config/app, or a client id' },
    { name: 'all', description: 'to everyone who would receive the real event' },
    { name: 'data', value: 'json', description: 'sent as data. Default: a sample row of the schema' },
    { name: 'profile', value: 'id', description: 'the user concerned, for a hook with the audience user' },
  ],
  examples: [
    'treadle webhook test profile-created',
    `treadle webhook test profile-created --app reader --data '{"profile_id":1,"profile_name":"Ann"}'`,
  ],
  async run(invocation) {
    const { values } = invocation;
    refuseEmpty(values, ['app', 'data', 'profile']);
    const hook = getText(values, 'name');
    const data = readData(findText(values, 'data'));
    const profile = readProfile(findText(values, 'profile'));
    const to = await findTarget(invocation);
    return withApplication(invocation, async (app) => {
      refuseUnknownHook(app, hook);
      const target = to ?? findOwn(app, hook);
      // Before anything is written: who is not there gets no trial.
      await getReceivers(app, { hook, ...target });
      const stage = {
        hook,
        ...(data === undefined ? {} : { data }),
        ...(profile === undefined ? {} : { profile_id: profile }),
        ...target,
      };
      const names = { hook: '<name>', receiver: '--app' };
      const { event_id: eventId, rows = [] } = await getResults<TestResult>(app, 'webhook-test', stage, names);
      const before = new Map(rows.map((row) => [Number(row.delivery_id), 0] as const));
      const sent = await sendAndWait(app, before.size === 0 ? { eventId } : { before });
      if (sent.length === 0) return toNobody(eventId);
      const disabled = await findDisabled(app, hook, sent);
      const result = toResult(app, sent, { event_id: eventId, ...(disabled.length === 0 ? {} : { disabled }) });
      const lines = [...(result.lines ?? []), ...disabled.flatMap(toDisabledLines)];
      return { ...result, lines, next: [`treadle webhook deliveries --event ${eventId}`] };
    });
  },
};

/** @throws CLI_USAGE with a "did you mean" where neither a file nor the code has this hook. */
function refuseUnknownHook({ plan }: Application, hook: string): void {
  const names = plan.hooks.map(({ name }) => name);
  if (!names.includes(hook)) throw createUsageError(`There is no web hook "${hook}".`, toDidYouMean(hook, names));
}

/** A trial that everyone was to get, and that reached none: an error of the trial, which a script should notice. */
const toNobody = (eventId: string): Outcome => ({
  data: { event_id: eventId, ...toErrorMembers('CLI_FAILED'), rows: [] },
  lines: [
    'Nobody received it. A hook with the audience "user" goes only to apps of that user: pass --profile. Or the running',
    `server is still sending it: treadle webhook deliveries --event ${eventId}`,
  ],
  exitCode: EXIT.failed,
});

/** The receivers that a trial was not sent to, since they are disabled. */
async function findDisabled(app: Application, hook: string, rows: readonly Delivery[]): Promise<Receiver[]> {
  const disabledRows = rows.filter(({ state, attempts }) => state === 'failed' && Number(attempts) === 0);
  if (disabledRows.length === 0) return [];
  const off = await findReceivers(app, { hook, state: 'disabled' });
  return off.filter(({ url, client_id: client }) =>
    disabledRows.some((row) => row.url === url && row.client_id === client),
  );
}

/** The app or everyone; undefined where neither was named. */
async function findTarget(invocation: Invocation): Promise<Readonly<Record<string, string>> | undefined> {
  const word = findText(invocation.values, 'app');
  const isAll = isOn(invocation.values, 'all');
  if (word !== undefined && isAll) throw createUsageError('--app and --all cannot be combined.', 'Choose one.');
  if (isAll) return {};
  if (word === undefined) return undefined;
  return { client_id: await getClient(invocation, word) };
}

/** The hook's own address: a trial goes to nobody else unless that was requested. */
function findOwn(app: Application, name: string): Readonly<Record<string, string>> {
  const hook = app.plan.hooks.find((each) => each.name === name);
  if (!hook) return {};
  const { url } = hook.definition;
  if (url !== undefined && url !== '') return { url };
  throw createUsageError(`The web hook ${name} has no URL of its own.`, 'Name an app with --app, or pass --all.');
}

/** @throws CLI_USAGE where it is not a JSON object, which an event's results always are. */
function readData(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const hint = `Example: --data '{"profile_id":1}'`;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw createUsageError('--data is not JSON.', hint);
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data;
  throw createUsageError('--data is not a JSON object.', hint);
}

/** @throws CLI_USAGE where it is no id. */
function readProfile(text: string | undefined): string | undefined {
  if (text === undefined || /^[1-9]\d{0,14}$/.test(text)) return text;
  throw createUsageError(`--profile can't be "${text}".`, 'It is the id of a profile, a whole number from 1.');
}
