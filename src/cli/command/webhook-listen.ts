import { systemClock } from '../../core/clock.ts';
import { readDefinitions } from '../definition.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { type Arrival, type Listening, listen } from '../hook/listen.ts';
import { deriveSecret } from '../hook/secret.ts';
import { type CommandSpec, findText, getList, getText, type Invocation } from '../spec.ts';

export const command: CommandSpec = {
  options: [
    { name: 'port', value: 'port', description: 'port; 0 takes a free one', default: '4000' },
    { name: 'host', value: 'host', description: 'address to listen on', default: '127.0.0.1' },
    {
      name: 'secret',
      value: 'whsec_…',
      description: 'signing secret to verify by; WEBHOOK_SECRET if left out',
      isRepeated: true,
    },
    { name: 'hook', value: 'name', description: "verifies by this project's web hook instead" },
    { name: 'app', value: 'app', description: "with --hook: by this app's secret" },
    { name: 'forward', value: 'url', description: 'passes on what was verified, and answers what that address does' },
    { name: 'status', value: 'code', description: 'answers this to what was verified, such as 500 for a trial' },
    { name: 'count', value: 'n', description: 'ends after so many; 1 where one was not verified' },
  ],
  examples: [
    'treadle webhook listen --hook profile-created',
    'treadle webhook listen --port 4000 --secret whsec_… --forward http://127.0.0.1:8080/hook',
    'treadle webhook listen --hook profile-created --status 500',
  ],
  async run(invocation) {
    const { values, terminal } = invocation;
    const secrets = await findSecrets(invocation);
    const status = readNumber(invocation, 'status', 200, 599) ?? 204;
    const count = readNumber(invocation, 'count', 1, 1_000_000);
    const port = readNumber(invocation, 'port', 0, 65_535) ?? 4000;
    const forward = findText(values, 'forward');
    if (forward !== undefined && findText(values, 'status') !== undefined)
      throw createUsageError(
        '--forward and --status exclude each other.',
        'What is passed on is answered by who gets it.',
      );
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
): Promise<Listening> {
  try {
    return await listen(address, options);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'EADDRINUSE') throw error;
    throw createUsageError(`Port ${address.port} is taken.`, 'Choose another by --port, or --port 0 for a free one.');
  }
}

function announce({ terminal }: Invocation, url: string, isVerifying: boolean): void {
  if (terminal.isJson) terminal.document({ url });
  terminal.print(url);
  terminal.say(
    terminal.dim(
      isVerifying
        ? 'Prints and verifies what arrives. Ctrl-C ends it.'
        : 'Prints what arrives, and verifies nothing: give --secret or --hook. Ctrl-C ends it.',
    ),
  );
}

/** @throws CLI_USAGE where one is not of the form that Standard Webhooks has. */
async function findSecrets(invocation: Invocation): Promise<string[]> {
  const { values, env } = invocation;
  const hook = findText(values, 'hook');
  const app = findText(values, 'app');
  if (app !== undefined && hook === undefined) throw createUsageError('--app needs --hook.', "A secret is one hook's.");
  const own =
    hook === undefined ? [] : [await deriveSecret(invocation, await readDefinitions(invocation), { hook, app })];
  const given = [...own, ...getList(values, 'secret')];
  const secrets = given.length === 0 && env.WEBHOOK_SECRET ? [env.WEBHOOK_SECRET] : given;
  if (secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{20,}={0,2}$/.test(secret))) return secrets;
  throw createUsageError('--secret is no signing secret.', 'It starts with whsec_: treadle webhook secret <name>');
}

function readNumber({ values }: Invocation, name: string, least: number, most: number): number | undefined {
  const given = findText(values, name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= least && number <= most) return number;
  throw createUsageError(`--${name} can't be "${given}".`, `A whole number from ${least} to ${most}.`);
}

function toPretty(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const SHOWN = ['webhook-id', 'webhook-timestamp', 'webhook-sequence', 'webhook-signature', 'user-agent'] as const;

function tell({ terminal }: Invocation, arrival: Arrival): void {
  const { fault, headers, body, status, trouble, isAgain } = arrival;
  const payload = toPretty(body);
  if (terminal.isJson) {
    const isVerified = fault === undefined ? null : fault === null;
    terminal.document({ ...arrival, fault: fault ?? null, isVerified, body: payload });
    return;
  }
  const type = (payload as { type?: unknown } | null)?.type;
  const verdict = fault === undefined ? 'not verified: no secret' : fault === null ? 'verified' : `REFUSED: ${fault}`;
  const again = isAgain ? ', again' : '';
  terminal.print('');
  terminal.print(
    terminal.bold(`${typeof type === 'string' ? type : arrival.method}  ${verdict}${again}  -> ${status}`),
  );
  if (trouble !== undefined) terminal.print(`  could not be passed on: ${trouble}`);
  for (const name of SHOWN) if (headers[name] !== undefined) terminal.print(`  ${name}: ${headers[name]}`);
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);
  for (const line of text.split('\n')) terminal.print(`  ${line}`);
}
