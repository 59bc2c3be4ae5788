import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import process from 'node:process';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import { packageVersion } from '../core/file/package-root.ts';
import { isLiteral, judgeAddress, judgeUrl, toHost, toPort } from './address.ts';
import { createKeepAliveAgents, type KeepAliveAgents } from './keep-alive-agent.ts';
import type { AddressPolicy, Outbound, OutboundRequest, OutboundResponse } from './outbound.ts';
import { type Resolve, resolveName } from './resolve.ts';

/** Why an allowed call failed. */
type Why = 'timeout' | 'resolve' | 'connect' | 'tls' | 'reset' | 'abort';

const createFailure = (why: Why, message: string, cause?: unknown): TreadleError =>
  new TreadleError('OUTBOUND_FAILED', message, { status: 502, detail: why, cause });

const createRefusal = (reason: string): TreadleError =>
  new TreadleError('OUTBOUND_ADDRESS_REFUSED', reason, {
    status: 422,
    hint: 'Call a public address, or add its block to webhook.allowPrivate in config/settings.json.',
  });

/** Classifies an error of a socket or of TLS. */
function toWhy(error: NodeJS.ErrnoException, isConnected: boolean): Why {
  const code = error.code ?? '';
  if (/CERT|TLS|SSL|ALTNAME|SELF_SIGNED|EPROTO|UNABLE_TO/.test(code)) return 'tls';
  return isConnected ? 'reset' : 'connect';
}

/** Settles a call once: the first of answer, error, timeout and abort wins. */
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

const TIMEOUT_SECONDS = 15;
/** Timeout in milliseconds for resolving the name, and again for connecting including TLS. */
const CONNECT_MS = 5000;
const MAX_BYTES = 20_480;

export interface OutboundOptions {
  readonly clock: Clock;
  /** Default: DNS, then the hosts file and the search domains of the machine. */
  readonly resolve?: Resolve;
  /** Trusted certificate authorities (PEM). Default: those of Node and its environment. */
  readonly authorities?: readonly string[];
}

/** State that all calls of one outbound share. */
interface Line {
  readonly clock: Clock;
  readonly agents: KeepAliveAgents;
  readonly authorities: readonly string[] | undefined;
}

/** A target that passed the guard: the URL and the only addresses that a socket may connect to. */
interface Target {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly policy: AddressPolicy;
}

/**
 * A lookup that returns only the checked addresses, so that DNS cannot answer differently at connect time
 * (rebinding).
 */
function pin(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = all;
    if (!first) callback(new Error('no address'), '', 4);
    else if (options.all) callback(null, [...all], 0);
    else callback(null, first.address, first.family);
  };
}

/** Reads up to `maxBytes`; drops a UTF-8 character that is cut in two. */
function readAnswer(message: IncomingMessage, maxBytes: number, done: (body: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (): void => done(new StringDecoder('utf8').write(Buffer.concat(chunks).subarray(0, maxBytes)));
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

function open(request: OutboundRequest, target: Target, line: Line, isKeptAlive: boolean): ClientRequest {
  const { url } = target;
  const host = toHost(url);
  const isSecure = url.protocol === 'https:';
  const options = {
    method: request.method,
    headers: {
      'user-agent': `Treadle/${packageVersion}`,
      'accept-encoding': 'identity',
      ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
      ...request.headers,
    },
    lookup: pin(target.addresses),
    agent: isKeptAlive ? line.agents.agent(isSecure) : (false as const),
    pinned: [...target.addresses].sort().join(),
    rejectUnauthorized: true,
    ...(line.authorities === undefined ? {} : { ca: [...line.authorities] }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  return isSecure ? process.getBuiltinModule('node:https').request(url, options) : requestHttp(url, options);
}

/**
 * Calls back once the remote address of the connected socket has been checked: a resolver may lie. Sends
 * nothing before.
 */
function whenJudged(call: ClientRequest, target: Target, done: (refusal: string | undefined) => void): void {
  const isSecure = target.url.protocol === 'https:';
  const judge = (socket: Socket): string | undefined =>
    judgeAddress(socket.remoteAddress ?? '', socket.remotePort ?? toPort(target.url), target.policy);
  call.on('socket', (socket) => {
    if (call.reusedSocket) return done(judge(socket));
    socket.once('connect', () => {
      const refusal = judge(socket);
      if (refusal !== undefined || !isSecure) done(refusal);
    });
    if (isSecure) socket.once('secureConnect', () => done(undefined));
  });
}

/** The receiver may just have closed an idle connection: retry, this is no failure yet. */
const isStale = (call: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  call.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

function exchange(request: OutboundRequest, target: Target, deadline: Deadline, line: Line): void {
  const { clock } = line;
  const attempt = (isKeptAlive: boolean): void => {
    const state = { isConnected: false, isAnswered: false, isWhole: false, isReplaced: false };
    const call = open(request, target, line, isKeptAlive);
    deadline.onEnd(() => {
      // The connection is reusable only after a complete exchange.
      if (!state.isWhole) call.destroy();
    });
    deadline.onEnd(
      clock.after(CONNECT_MS, () => {
        if (!state.isConnected) deadline.settle(createFailure('connect', 'No connection within 5 s.'));
      }),
    );
    whenJudged(call, target, (refusal) => {
      state.isConnected = true;
      if (refusal !== undefined) deadline.settle(createRefusal(refusal));
      else if (!deadline.isSettled()) call.end(request.body);
    });
    call.on('error', (error) => {
      state.isReplaced = !state.isAnswered && !deadline.isSettled() && isStale(call, error);
      if (state.isReplaced) attempt(false);
      else deadline.settle(createFailure(toWhy(error, state.isConnected), error.message, error));
    });
    call.on('close', () => {
      if (state.isReplaced || deadline.isSettled()) return;
      deadline.settle(createFailure('reset', 'The connection was closed before the answer was complete.'));
    });
    call.on('response', (message) => {
      state.isAnswered = true;
      message.on('error', (error) => deadline.settle(createFailure('reset', error.message, error)));
      readAnswer(message, request.maxBytes ?? MAX_BYTES, (body) => {
        // A receiver that answers without reading the request would otherwise hold the socket for as long
        // as it likes.
        state.isWhole = message.complete && call.writableFinished;
        const milliseconds = clock.now() - deadline.startedAt;
        deadline.settle({ status: message.statusCode ?? 0, headers: toHeaders(message), body, milliseconds });
      });
    });
  };
  attempt(request.isRepeatable === true);
}

async function findTarget(url: URL, policy: AddressPolicy, resolve: Resolve): Promise<Target> {
  const host = toHost(url);
  if (isLiteral(host)) return { url, addresses: [host], policy };
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw createFailure('resolve', `The name ${host} could not be resolved.`, cause);
  });
  if (addresses.length === 0) throw createFailure('resolve', `The name ${host} has no address.`);
  for (const address of addresses) {
    const reason = judgeAddress(address, toPort(url), policy);
    if (reason !== undefined) throw createRefusal(`${host}: ${reason}`);
  }
  return { url, addresses, policy };
}

/** Ends a call on timeout or abort. */
function limit(request: OutboundRequest, deadline: Deadline, clock: Clock): void {
  const seconds = request.timeoutSeconds ?? TIMEOUT_SECONDS;
  const end = (): void => deadline.settle(createFailure('timeout', `No complete answer within ${seconds} s.`));
  deadline.onEnd(clock.after(seconds * 1000, end));
  const abort = (): void => deadline.settle(createFailure('abort', 'The call was cancelled.'));
  request.signal?.addEventListener('abort', abort, { once: true });
  deadline.onEnd(() => request.signal?.removeEventListener('abort', abort));
  if (request.signal?.aborted) abort();
}

/**
 * Resolves a name within the time limit. When the caller gives up, the query and its DNS sockets are
 * cancelled.
 */
function resolveInTime(resolve: Resolve, deadline: Deadline, clock: Clock): Resolve {
  return (host) => {
    const lookup = new AbortController();
    const state = { isOver: false };
    const cancel = clock.after(CONNECT_MS, () =>
      deadline.settle(createFailure('resolve', `The name ${host} could not be resolved within 5 s.`)),
    );
    deadline.onEnd(() => {
      cancel();
      if (!state.isOver) lookup.abort();
    });
    return resolve(host, lookup.signal).finally(() => {
      state.isOver = true;
      cancel();
    });
  };
}

/**
 * The only way out over HTTP. Each call resolves the name once and checks every address; a socket may only
 * connect to those. TLS is verified, redirects are not followed, answers are not decompressed.
 */
export function createOutbound({ clock, resolve = resolveName, authorities }: OutboundOptions): Outbound {
  const line: Line = { clock, agents: createKeepAliveAgents(), authorities };
  return {
    judge(url, policy) {
      const judged = judgeUrl(url, policy);
      return 'url' in judged ? undefined : judged.reason;
    },
    async send(request, policy) {
      const judged = judgeUrl(request.url, policy);
      if (!('url' in judged)) {
        if (judged.kind === 'address') throw createRefusal(judged.reason);
        throw new TreadleError('OUTBOUND_URL_INVALID', judged.reason, { status: 422 });
      }
      const deadline = createDeadline(clock);
      limit(request, deadline, clock);
      findTarget(judged.url, policy, resolveInTime(resolve, deadline, clock))
        .then((target) => {
          if (!deadline.isSettled()) exchange(request, target, deadline, line);
        })
        .catch((error: unknown) =>
          deadline.settle(error instanceof TreadleError ? error : createFailure('reset', String(error), error)),
        );
      return deadline.promise;
    },
  };
}
