import { systemClock } from '../../core/clock.ts';
import { readCode, type TreadleError } from '../../core/errors.ts';
import { toObject } from '../../core/record.ts';
import { readDefinitions } from '../change/definition.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { type Arrival, type HookListener, listen } from '../hook/listen.ts';
import { deriveSecret } from '../hook/secret.ts';
import { type CommandSpec, findNumber, findText, getList, getText, type Invocation, type Values } from '../spec.ts';

export const command: CommandSpec = {
  options: [
    { name: 'port', value: 'port', description: 'port; 0 picks a free one', default: '4000' },
    { name: 'host', value: 'host', description: 'address to listen on', default: '127.0.0.1' },
    {
      name: 'secret',
      value: 'whsec_…',
      description: 'signing secret to verify with. Default: WEBHOOK_SECRET',
      isRepeated: true,
    },
    { name: 'hook', value: 'name', description: "verifies with the secret of this project's web hook" },
    { name: 'app', value: 'app', description: "with --hook: verifies with this app's secret" },
    { name: 'forward', value: 'url', description: 'forwards verified requests to this URL and returns its answer' },
    {
      name: 'status',
      value: 'code',
      description: 'answers verified requests with this status, such as 500 to test retries',
    },
    {
      name: 'count',
      value: 'n',
      description: 'ends after this many requests, with exit code 1 if one was not verified',
    },
  ],
  examples: [
    'treadle webhook listen --hook profile-created',
    'treadle webhook listen --port 4000 --secret whsec_… --forward http://127.0.0.1:8080/hook',
    'treadle webhook listen --hook profile-created --status 500',
  ],
  async run(invocation) {
    const { values, terminal } = invocation;
    const secrets = await findSecrets(invocation);
    const status = findNumber(values, 'status', 200, 599) ?? 204;
    const count = findNumber(values, 'count', 1, 1_000_000);
    const port = findNumber(values, 'port', 0, 65_535) ?? 4000;
    const forward = readForward(values);
    if (forward !== undefined && findText(values, 'status') !== undefined)
      throw createUsageError('--forward and --status cannot be combined.', 'With --forward the target answers.');
    const { createOutbound } = await import('../../outbound/http.ts');
    const outbound = createOutbound({ clock: systemClock });
    const state = { arrived: 0, isRefused: false, end: (): void => {} };
    const enough = new Promise<void>((resolve) => {
      state.end = resolve;
    });
    const onArrival = (arrival: Arrival): void => {
      tell(invocation, arrival);
      state.arrived += 1;
      if (typeof arrival.fault === 'string') state.isRefused = true;
      if (state.arrived === count) state.end();
    };
    const stopped = invocation.untilStopped();
    const options = { secrets, status, forward, clock: systemClock, outbound, onArrival };
    const listening = await openAt({ port, host: getText(values, 'host') }, options);
    announce(invocation, listening.url, secrets.length > 0);
    await Promise.race([stopped, enough]);
    await listening.close();
    if (!terminal.isJson) terminal.say(terminal.dim(`${state.arrived} arrived.`));
    return { data: undefined, exitCode: count !== undefined && state.isRefused ? EXIT.failed : EXIT.done };
  },
};

async function openAt(
  address: Parameters<typeof listen>[0],
  options: Parameters<typeof listen>[1],
): Promise<HookListener> {
  try {
    return await listen(address, options);
  } catch (error) {
    throw toAddressError(address, readCode(error)) ?? error;
  }
}

/** Why nothing can listen there; undefined where it is nothing that a flag could change. */
function toAddressError({ host, port }: Parameters<typeof listen>[0], code = ''): TreadleError | undefined {
  const another = 'Choose another with --port, or --port 0 for a free one.';
  const own = '--host takes an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all.';
  if (code === 'EADDRINUSE') return createUsageError(`Port ${port} is taken.`, another);
  if (code === 'EACCES') return createUsageError(`Port ${port} needs more privileges.`, another);
  if (code === 'EADDRNOTAVAIL')
    return createUsageError(`--host can't be "${host}": this machine does not have it.`, own);
  if (code.startsWith('ENOTFOUND') || code.startsWith('EAI_'))
    return createUsageError(`--host can't be "${host}": the name does not exist.`, own);
  return undefined;
}

function announce({ terminal }: Invocation, url: string, isVerifying: boolean): void {
  if (terminal.isJson) terminal.document({ url });
  terminal.print(url);
  terminal.say(
    terminal.dim(
      isVerifying
        ? 'Prints and verifies each request. Press Ctrl-C to stop.'
        : 'Prints each request without verifying it; to verify, pass --secret or --hook. Press Ctrl-C to stop.',
    ),
  );
}

/** Base64 characters of the shortest key. */
const LEAST_KEY = 20;
const SECRET = new RegExp(`^whsec_[A-Za-z0-9+/]{${LEAST_KEY},}={0,2}$`);

/** @throws CLI_USAGE where one is not of the form that Standard Webhooks has. */
async function findSecrets(invocation: Invocation): Promise<string[]> {
  const { values, env } = invocation;
  const hook = findText(values, 'hook');
  const app = findText(values, 'app');
  if (app !== undefined && hook === undefined)
    throw createUsageError('--app needs --hook.', 'Each hook has its own secret.');
  const own =
    hook === undefined ? [] : [await deriveSecret(invocation, await readDefinitions(invocation), { hook, app })];
  const given = [...own, ...getList(values, 'secret')];
  const isOfEnv = given.length === 0 && env.WEBHOOK_SECRET !== undefined && env.WEBHOOK_SECRET !== '';
  const secrets = isOfEnv ? [env.WEBHOOK_SECRET ?? ''] : given;
  const odd = secrets.find((secret) => !SECRET.test(secret));
  if (odd === undefined) return secrets;
  throw createUsageError(
    `${isOfEnv ? 'WEBHOOK_SECRET' : '--secret'} is not a signing secret: ${toSecretError(odd)}.`,
    'Print one: treadle webhook secret <name>',
  );
}

/** Why a text is no secret of Standard Webhooks; it is not shown, since it may be one all but a slip. */
function toSecretError(text: string): string {
  if (!text.startsWith('whsec_')) return 'it does not start with whsec_';
  const key = text.slice('whsec_'.length);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(key)) return 'what follows whsec_ is not base64';
  return `what follows whsec_ has ${key.length} characters, and a key has ${LEAST_KEY} or more`;
}

/** @throws CLI_USAGE where it is not an address that can be called. */
function readForward(values: Values): string | undefined {
  const given = findText(values, 'forward');
  if (given === undefined) return undefined;
  if (/^https?:\/\//i.test(given) && URL.canParse(given)) return given;
  throw createUsageError(`--forward can't be "${given}".`, 'Write a URL such as http://127.0.0.1:8080/hook.');
}

function toPretty(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const SHOWN: ReadonlySet<string> = new Set([
  'webhook-id',
  'webhook-timestamp',
  'webhook-sequence',
  'webhook-signature',
  'user-agent',
  'content-type',
]);
const isShown = (name: string): boolean => SHOWN.has(name) || name.startsWith('ce-');

/** What happened: a CloudEvent by headers says so in one of them, any other delivery in its body. */
function findType(headers: Arrival['headers'], payload: unknown): string | undefined {
  const type = headers['ce-type'] ?? toObject(payload).type;
  return typeof type === 'string' ? type : undefined;
}

function tell({ terminal }: Invocation, arrival: Arrival): void {
  const { fault, headers, body, status, trouble, isAgain } = arrival;
  const payload = toPretty(body);
  const type = findType(headers, payload);
  if (terminal.isJson) {
    const isVerified = fault === undefined ? null : fault === null;
    terminal.document({ ...arrival, type: type ?? null, fault: fault ?? null, isVerified, body: payload });
    return;
  }
  const verdict = fault === undefined ? 'not verified: no secret' : fault === null ? 'verified' : `REFUSED: ${fault}`;
  const again = isAgain ? ', again' : '';
  terminal.print('');
  terminal.print(terminal.bold(`${type ?? arrival.method}  ${verdict}${again}  -> ${status}`));
  if (trouble !== undefined) terminal.print(`  could not be forwarded: ${trouble}`);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && isShown(name)) terminal.print(`  ${name}: ${value}`);
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);
  for (const line of text.split('\n')) terminal.print(`  ${line}`);
}
