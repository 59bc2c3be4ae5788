import { toDidYouMean } from '../../core/suggest.ts';
import { type Application, refuseFailure, withApplication } from '../application.ts';
import { readDefinitions } from '../definition.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { getHookApp } from '../hook/app.ts';
import { type Delivery, sendAndWait, waitForAttempts } from '../hook/delivery.ts';
import { findReceivers, getReceivers, type Receiver, toDisabledLines } from '../hook/receiver.ts';
import { type CommandSpec, findText, getText, type Invocation, isOn, type Outcome, refuseEmpty } from '../spec.ts';
import { toResult } from './webhook-replay.ts';

const WAIT_SECONDS = 20;

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
      const answer = await app.emit('webhook-test', stage);
      refuseFailure(answer, { hook: '<name>', receiver: '--app' });
      const eventId = String(answer.getResults('event_id'));
      const rows = (answer.getResults('rows') as Delivery[] | undefined) ?? [];
      const ids = rows.map((row) => [Number(row.delivery_id), 0] as const);
      const settled =
        ids.length === 0 ? await sendToAll(app, eventId) : await sendAndWait(app, new Map(ids), WAIT_SECONDS);
      if (settled.length === 0) return toNobody(eventId);
      const disabled = await findDisabled(app, hook, settled);
      const result = toResult(settled, { event_id: eventId, ...(disabled.length === 0 ? {} : { disabled }) });
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

/** A trial that everyone was to get, and that reached none: a fault of the trial, which a script should notice. */
const toNobody = (eventId: string): Outcome => ({
  data: { event_id: eventId, error: true, rows: [] },
  lines: [
    'Nobody received it. A hook with the audience "user" goes only to apps of that user: pass --profile. Or the running',
    `server is still sending it: treadle webhook deliveries --event ${eventId}`,
  ],
  exitCode: EXIT.failed,
});

/** The receivers that a trial was not sent to, since they are disabled. */
async function findDisabled(app: Application, hook: string, rows: readonly Delivery[]): Promise<Receiver[]> {
  const kept = rows.filter(({ state, attempts }) => state === 'failed' && Number(attempts) === 0);
  if (kept.length === 0) return [];
  const off = await findReceivers(app, { hook, state: 'disabled' });
  return off.filter(({ url, client_id: client }) => kept.some((row) => row.url === url && row.client_id === client));
}

/** The app or everyone; undefined where neither was named. */
async function findTarget(invocation: Invocation): Promise<Readonly<Record<string, string>> | undefined> {
  const word = findText(invocation.values, 'app');
  const isAll = isOn(invocation.values, 'all');
  if (word !== undefined && isAll) throw createUsageError('--app and --all cannot be combined.', 'Choose one.');
  if (isAll) return {};
  if (word === undefined) return undefined;
  return { client_id: (await getHookApp(invocation, await readDefinitions(invocation), word)).clientId };
}

/** The hook's own address: nobody else hears of a trial unless that was asked for. */
function findOwn(app: Application, name: string): Readonly<Record<string, string>> {
  const hook = app.plan.hooks.find((each) => each.name === name);
  if (!hook) return {};
  const { url } = hook.definition;
  if (url !== undefined && url !== '') return { url };
  throw createUsageError(`The web hook ${name} has no URL of its own.`, 'Name an app with --app, or pass --all.');
}

/** Spreads an event that reaches everyone and sends its deliveries; where the server spreads it, waits for that. */
async function sendToAll(app: Application, eventId: string): Promise<Delivery[]> {
  const { sendNow } = await import('../../boot.ts');
  await sendNow(app, { eventId, deliveryIds: [] });
  for (let tries = 0; tries < 50; tries += 1) {
    const answer = await app.emit('webhook-delivery-search', { event_id: eventId, limit: 100 });
    const rows = answer.getResults('rows') as Delivery[];
    if (rows.length > 0)
      return waitForAttempts(app, new Map(rows.map((row) => [Number(row.delivery_id), 0])), WAIT_SECONDS);
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  return [];
}

/** @throws CLI_USAGE where it is no JSON object, which an event's results always are. */
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
