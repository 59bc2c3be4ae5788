import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Clock, toSeconds } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { signWebhook } from '../../core/secret/webhook-secret.ts';
import { toPort } from '../../http/connection/listen.ts';
import type { Outbound } from '../../outbound/outbound.ts';

/** Seconds that a timestamp may be off, either way. @see Standard Webhooks 1.0.0, "Verifying signatures" */
const TOLERANCE_SECONDS = 300;

type Headers = Readonly<Record<string, string | undefined>>;

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Why a delivery is not to be trusted; undefined where one of its signatures is by one of the secrets.
 *
 * @param now Unix seconds.
 */
export function findError(
  secrets: readonly string[],
  delivery: { readonly headers: Headers; readonly body: string },
  now: number,
): string | undefined {
  const { headers, body } = delivery;
  const read = (name: string): string => headers[name] ?? '';
  const [id, timestamp, signatures] = [read('webhook-id'), read('webhook-timestamp'), read('webhook-signature')];
  if (id === '') return 'the header webhook-id is missing';
  const { 'ce-id': other } = headers;
  // Of a CloudEvent by headers these are not signed, and whoever goes by its id would take one event for another.
  if (other !== undefined && other !== id)
    return 'the header ce-id differs from webhook-id, and only webhook-id is signed';
  if (!/^\d{1,12}$/.test(timestamp)) return 'the header webhook-timestamp is missing or not a whole number of seconds';
  const off = Math.abs(now - Number(timestamp));
  if (off > TOLERANCE_SECONDS) return `webhook-timestamp is ${off} seconds off; five minutes are allowed`;
  const given = signatures.split(' ').filter((entry) => entry.startsWith('v1,'));
  if (given.length === 0) return 'the header webhook-signature has no v1 entry';
  const wanted = secrets.map((secret) => signWebhook(secret, { id, seconds: Number(timestamp), body }));
  const isKnown = given.some((entry) => wanted.some((each) => isSame(entry, each)));
  return isKnown ? undefined : 'no signature matches this secret: the body was changed, or another secret signed it';
}

const MAX_BYTES = 1_048_576;
/** Ids remembered to report repeats. */
const MAX_IDS = 10_000;

/** What arrived, and what was answered. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  /** Why it is not to be trusted; null where it was verified, undefined where no secret is known. */
  readonly fault: string | null | undefined;
  /** Whether this `webhook-id` came before. */
  readonly isAgain: boolean;
  readonly status: number;
  /** Why it could not be passed on. */
  readonly trouble: string | undefined;
}

export interface ListenOptions {
  readonly secrets: readonly string[];
  /** What is answered to what can be trusted; what cannot gets 400. */
  readonly status: number;
  /** Where it is passed on to, as it came; its answer goes back. */
  readonly forward: string | undefined;
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly onArrival: (arrival: Arrival) => void;
}

export interface HookListener {
  readonly url: string;
  close(): Promise<void>;
}

/** Headers that belong to one connection, or that the next request makes itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const toHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const incoming: AsyncIterable<Buffer> = request;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly trouble: string | undefined;
}

async function passOn(
  options: ListenOptions,
  url: string,
  sent: { method: string; headers: Record<string, string>; body: string },
): Promise<Answer> {
  const headers = Object.fromEntries(Object.entries(sent.headers).filter(([name]) => !OWN_HEADERS.has(name)));
  try {
    const policy = { allowPrivate: [], isLoopbackAllowed: true };
    const { status, body } = await options.outbound.send({ ...sent, url, headers }, policy);
    return { status, body, trouble: undefined };
  } catch (error) {
    if (!(error instanceof TreadleError)) throw error;
    return { status: 502, body: '', trouble: error.message };
  }
}

async function answer(
  options: ListenOptions,
  seen: Set<string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { secrets, forward, clock } = options;
  const headers = toHeaders(request);
  const body = await readBody(request);
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const method = request.method ?? 'POST';
  const fault = findError(secrets, { headers, body }, toSeconds(clock.now())) ?? null;
  const isTrusted = secrets.length === 0 || fault === null;
  const given: Answer = !isTrusted
    ? { status: 400, body: '', trouble: undefined }
    : forward === undefined
      ? { status: options.status, body: '', trouble: undefined }
      : await passOn(options, forward, { method, headers, body });
  const id = headers['webhook-id'] ?? '';
  const isAgain = id !== '' && seen.has(id);
  if (seen.size < MAX_IDS) seen.add(id);
  response.writeHead(given.status).end(given.body);
  options.onArrival({
    method,
    path: request.url ?? '/',
    headers,
    body,
    fault: secrets.length === 0 ? undefined : fault,
    isAgain,
    status: given.status,
    trouble: given.trouble,
  });
}

function open(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

/** A receiver of web hooks on this machine, which verifies what arrives. @throws whatever listening throws. */
export async function listen(
  address: { readonly port: number; readonly host: string },
  options: ListenOptions,
): Promise<HookListener> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    answer(options, seen, request, response).catch(() => response.destroy());
  });
  await open(server, address.port, address.host);
  const port = toPort(server);
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
