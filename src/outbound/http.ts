import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import { packageVersion } from '../core/package-root.ts';
import { isLiteral, judgeAddress, judgeUrl, toHost, toPort } from './address.ts';
import type { AddressPolicy, Outbound, OutboundRequest, OutboundResponse } from './outbound.ts';
import { type Resolve, resolveName } from './resolve.ts';

const TIMEOUT_SECONDS = 15;
const CONNECT_MS = 5000;
const MAX_BYTES = 20_480;

type Why = 'timeout' | 'resolve' | 'connect' | 'tls' | 'reset' | 'abort';

export interface OutboundOptions {
  readonly clock: Clock;
  /** Default: DNS, then the machine's own files. */
  readonly resolve?: Resolve;
}

const toFailure = (why: Why, message: string, cause?: unknown): TreadleError =>
  new TreadleError('OUTBOUND_FAILED', message, { status: 502, detail: why, cause });
const toRefusal = (reason: string): TreadleError =>
  new TreadleError('OUTBOUND_ADDRESS_REFUSED', reason, {
    status: 422,
    hint: 'Call a public address, or add its block to webhook.allowPrivate in config/settings.json.',
  });

/** A target that passed the guard: the URL and the only addresses that a socket may be opened to. */
interface Target {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly policy: AddressPolicy;
}

/** Ends whatever goes on, once: the first of answer, error, time and abort wins. */
interface Deadline {
  readonly promise: Promise<OutboundResponse>;
  readonly startedAt: number;
  settle(result: OutboundResponse | Error): void;
  readonly isSettled: () => boolean;
  /** Called at the end, to destroy sockets and cancel timers. */
  onEnd(task: () => void): void;
}

function createDeadline(clock: Clock): Deadline {
  const tasks: (() => void)[] = [];
  let isDone = false;
  let resolve: (value: OutboundResponse) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<OutboundResponse>((a, b) => {
    resolve = a;
    reject = b;
  });
  return {
    promise,
    startedAt: clock.now(),
    isSettled: () => isDone,
    settle(result) {
      if (isDone) return;
      isDone = true;
      for (const task of tasks) task();
      if (result instanceof Error) reject(result);
      else resolve(result);
    },
    onEnd(task) {
      if (isDone) task();
      else tasks.push(task);
    },
  };
}

/** The only names that a socket of this request can be opened to are the ones that were judged. */
function pin(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = all;
    if (!first) callback(new Error('no address'), '', 4);
    else if (options.all) callback(null, [...all], 0);
    else callback(null, first.address, first.family);
  };
}

function toWhy(error: NodeJS.ErrnoException, isConnected: boolean): Why {
  const code = error.code ?? '';
  if (/CERT|TLS|SSL|ALTNAME|SELF_SIGNED|EPROTO|UNABLE_TO/.test(code)) return 'tls';
  return isConnected ? 'reset' : 'connect';
}

function readAnswer(message: IncomingMessage, maxBytes: number, done: (body: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (): void => done(Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'));
  message.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) finish();
  });
  message.on('end', finish);
}

function toHeaders(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function open(request: OutboundRequest, target: Target): ClientRequest {
  const { url } = target;
  const host = toHost(url);
  const options = {
    method: request.method,
    headers: {
      'user-agent': `Treadle/${packageVersion}`,
      'accept-encoding': 'identity',
      ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
      ...request.headers,
    },
    lookup: pin(target.addresses),
    // No pooling: a kept socket would outlive the judgement of its address.
    agent: false as const,
    rejectUnauthorized: true,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  return url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
}

/** Sends nothing before the socket's own view of the other end was judged: a resolver may say one thing and do another. */
function exchange(request: OutboundRequest, target: Target, deadline: Deadline, clock: Clock): void {
  const isSecure = target.url.protocol === 'https:';
  let isConnected = false;
  const call = open(request, target);
  deadline.onEnd(() => call.destroy());
  deadline.onEnd(
    clock.after(CONNECT_MS, () => {
      if (!isConnected) deadline.settle(toFailure('connect', 'No connection within 5 s.'));
    }),
  );
  call.on('socket', (socket) => {
    socket.once('connect', () => {
      const reason = judgeAddress(socket.remoteAddress ?? '', socket.remotePort ?? toPort(target.url), target.policy);
      if (reason !== undefined) return deadline.settle(toRefusal(reason));
      if (!isSecure) ready();
    });
    socket.once('secureConnect', () => ready());
  });
  const ready = (): void => {
    isConnected = true;
    if (!deadline.isSettled()) call.end(request.body);
  };
  call.on('error', (error) => deadline.settle(toFailure(toWhy(error, isConnected), error.message, error)));
  call.on('close', () =>
    deadline.settle(toFailure('reset', 'The connection was closed before the answer was complete.')),
  );
  call.on('response', (message) => {
    message.on('error', (error) => deadline.settle(toFailure('reset', error.message, error)));
    readAnswer(message, request.maxBytes ?? MAX_BYTES, (body) =>
      deadline.settle({
        status: message.statusCode ?? 0,
        headers: toHeaders(message),
        body,
        milliseconds: clock.now() - deadline.startedAt,
      }),
    );
  });
}

async function findTarget(url: URL, policy: AddressPolicy, resolve: Resolve): Promise<Target> {
  const host = toHost(url);
  if (isLiteral(host)) return { url, addresses: [host], policy };
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw toFailure('resolve', `The name ${host} could not be resolved.`, cause);
  });
  if (addresses.length === 0) throw toFailure('resolve', `The name ${host} has no address.`);
  for (const address of addresses) {
    const reason = judgeAddress(address, toPort(url), policy);
    if (reason !== undefined) throw toRefusal(`${host}: ${reason}`);
  }
  return { url, addresses, policy };
}

/**
 * The one way out by HTTP. A name is resolved once, every address of it is judged, and the socket can only be opened to
 * those; TLS is verified; redirects are not followed; nothing is kept open.
 */
export function createOutbound({ clock, resolve = resolveName }: OutboundOptions): Outbound {
  return {
    judge(url, policy) {
      const judged = judgeUrl(url, policy);
      return 'url' in judged ? undefined : judged.reason;
    },
    async send(request, policy) {
      const judged = judgeUrl(request.url, policy);
      if (!('url' in judged)) {
        if (judged.kind === 'address') throw toRefusal(judged.reason);
        throw new TreadleError('OUTBOUND_URL_INVALID', judged.reason, { status: 422 });
      }
      const deadline = createDeadline(clock);
      const seconds = request.timeoutSeconds ?? TIMEOUT_SECONDS;
      deadline.onEnd(
        clock.after(seconds * 1000, () =>
          deadline.settle(toFailure('timeout', `No complete answer within ${seconds} s.`)),
        ),
      );
      const abort = (): void => deadline.settle(toFailure('abort', 'The call was given up.'));
      request.signal?.addEventListener('abort', abort, { once: true });
      deadline.onEnd(() => request.signal?.removeEventListener('abort', abort));
      if (request.signal?.aborted) abort();
      findTarget(judged.url, policy, resolve)
        .then((target) => {
          if (!deadline.isSettled()) exchange(request, target, deadline, clock);
        })
        .catch((error: unknown) =>
          deadline.settle(error instanceof TreadleError ? error : toFailure('reset', String(error), error)),
        );
      return deadline.promise;
    },
  };
}
