import { type Application, refuseFailure, withApplication } from '../application.ts';
import { readDefinitions } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { getHookApp } from '../hook/app.ts';
import { type Delivery, waitForAttempts } from '../hook/delivery.ts';
import { type CommandSpec, findText, getText, type Invocation, isOn } from '../spec.ts';
import { toResult } from './webhook-replay.ts';

const WAIT_SECONDS = 20;

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the hook', of: 'webhook' }],
  options: [
    { name: 'app', value: 'app', description: 'to this app only: a name of config/app, or a client id' },
    { name: 'all', description: 'to everyone whom the true event would reach' },
    { name: 'data', value: 'json', description: 'what to send as data; a row as the schema has it if left out' },
    { name: 'profile', value: 'id', description: 'whom it is about, for a hook of the audience user' },
  ],
  examples: [
    'treadle webhook test profile-created',
    `treadle webhook test profile-created --app reader --data '{"profile_id":1,"profile_name":"Ann"}'`,
  ],
  async run(invocation) {
    const { values } = invocation;
    const hook = getText(values, 'name');
    const data = readData(findText(values, 'data'));
    const profile = findText(values, 'profile');
    const to = await findTarget(invocation);
    return withApplication(invocation, async (app) => {
      const stage = {
        hook,
        ...(data === undefined ? {} : { data }),
        ...(profile === undefined ? {} : { profile_id: profile }),
        ...(to ?? findOwn(app, hook)),
      };
      const answer = await app.emit('webhook-test', stage);
      refuseFailure(answer, { hook: '<name>', receiver: '--app' });
      const eventId = String(answer.getResults('event_id'));
      const rows = (answer.getResults('rows') as Delivery[] | undefined) ?? [];
      const ids = rows.map((row) => [Number(row.delivery_id), 0] as const);
      const settled =
        ids.length === 0 ? await findSpread(app, eventId) : await waitForAttempts(app, new Map(ids), WAIT_SECONDS);
      return { ...toResult(settled, { event_id: eventId }), next: [`treadle webhook deliveries --event ${eventId}`] };
    });
  },
};

/** The app or everyone; undefined where neither was named. */
async function findTarget(invocation: Invocation): Promise<Readonly<Record<string, string>> | undefined> {
  const word = findText(invocation.values, 'app');
  const isAll = isOn(invocation.values, 'all');
  if (word !== undefined && isAll) throw createUsageError('--app and --all exclude each other.', 'Choose one.');
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
  throw createUsageError(`The web hook ${name} has no address of its own.`, 'Name an app by --app, or say --all.');
}

/** Waits for an event that reaches everyone to be spread, then for its first attempts. */
async function findSpread(app: Application, eventId: string): Promise<Delivery[]> {
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

function readData(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw createUsageError('--data is not JSON.', `Such as --data '{"profile_id":1}'`);
  }
}
