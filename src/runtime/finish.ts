import { hash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { toJson } from '../core/json-list.ts';
import type { Log } from '../core/log.ts';
import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import type { Context, Views } from '../plan/feature.ts';
import { type AccessLog, toLoggedPath } from './access-log.ts';
import type { Exchange, Lifecycle, Mode } from './exchange.ts';
import { createFailure, type Failure, toFailure, toProblem, toResponseFailure } from './failure.ts';
import { renderFailure, renderPlainFailure } from './failure-page.ts';
import { addHeaders, createHeaders } from './header.ts';
import type { RuntimeSessions } from './session.ts';

export interface FinishOptions {
  readonly sessions: RuntimeSessions;
  readonly views: Views;
  readonly log: Log;
  readonly mode: Mode;
  readonly lifecycle: Lifecycle;
  readonly accessLog: AccessLog | undefined;
  /** Project root, for naming places in development. */
  readonly root: string;
  /** Puts the reload script into a page, in development. */
  readonly decorate: ((html: string) => string) | undefined;
}

/** What was emitted for a request. */
export interface Handled {
  readonly context: Context;
  readonly request: Request;
  readonly response: Response;
}

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM = 'application/problem+json; charset=utf-8';

/** Turns responses and errors into HTTP. Nothing else does. */
export interface Finish {
  /** Sends what a handler left; returns what is still to be waited for, if anything. */
  finish(exchange: Exchange, handled: Handled): Promise<void> | undefined;
  /** Answers an error that was thrown; logs it where it is this side's. */
  fail(exchange: Exchange, error: unknown, handled?: Omit<Handled, 'response'>): Promise<void>;
  /** Answers a failure that the runtime itself found. */
  refuse(exchange: Exchange, failure: Failure, handled?: Omit<Handled, 'response'>): Promise<void>;
}

/** Whether a text is a JSON document: then it is never sent as HTML, whatever its strings hold. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text) || !/[}\]]\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function toContentType(content: string | Uint8Array, door: Exchange['door']): string {
  if (typeof content !== 'string') return 'application/octet-stream';
  if (isJson(content)) return JSON_TYPE;
  if (door === 'page' || /^\s*<(?:!doctype|html)/i.test(content)) return HTML;
  return 'text/plain; charset=utf-8';
}

/** Whether a client asked for data rather than a page. */
function wantsJson(exchange: Exchange): boolean {
  if (exchange.door !== 'page' || exchange.path.startsWith('/rest/')) return true;
  const accept = exchange.req.headers.accept ?? '';
  return accept.includes('json') && !accept.includes('text/html');
}

/** Whether the client's copy is still good: weak comparison. @see RFC 9110 section 13.1.2 */
export function isSameTag(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  if (given.trim() === '*') return true;
  const bare = tag.replace(/^W\//, '');
  return given.split(',').some((item) => item.trim().replace(/^W\//, '') === bare);
}

class Finisher implements Finish {
  readonly #options: FinishOptions;

  constructor(options: FinishOptions) {
    this.#options = options;
  }

  finish(exchange: Exchange, handled: Handled): Promise<void> | undefined {
    const failure = findFailure(handled.response);
    if (failure) return this.refuse(exchange, failure, handled);
    if (exchange.door === 'page') return this.#closeAndSend(exchange, handled);
    this.#sendResponse(exchange, handled, undefined);
    return undefined;
  }

  async #closeAndSend(exchange: Exchange, handled: Handled): Promise<void> {
    this.#sendResponse(exchange, handled, await this.#options.sessions.close(handled.request));
  }

  #sendResponse(exchange: Exchange, handled: Handled, cookie: string | undefined): void {
    const { response } = handled;
    const status = response.getStatus();
    if (response.getStream()) this.#sendStream(exchange, handled, cookie);
    else if (response.hasContent()) this.#sendContent(exchange, handled, cookie);
    else if (response.isRedirect() || status === 204 || status === 304 || !response.hasJson()) {
      this.#send(exchange, status, this.#headers(exchange, handled, cookie), '');
    } else this.#sendResults(exchange, handled, cookie);
  }

  fail(exchange: Exchange, error: unknown, handled?: Omit<Handled, 'response'>): Promise<void> {
    const { mode, root, log } = this.#options;
    const failure = toFailure(error, mode === 'development' ? root : undefined);
    if (failure.status >= 500) {
      const path = toLoggedPath(exchange.path, '');
      log.error('request failed', { request: exchange.id, method: exchange.method, path, error });
    }
    return this.refuse(exchange, failure, handled);
  }

  async refuse(exchange: Exchange, failure: Failure, handled?: Omit<Handled, 'response'>): Promise<void> {
    const isData = wantsJson(exchange);
    const own = handled as Handled | undefined;
    const page =
      isData || !handled ? renderPlainFailure(failure, exchange.id) : await this.#page(exchange, failure, handled);
    const isKept = handled && own?.response && exchange.door === 'page' && !exchange.isDone;
    const cookie = isKept ? await this.#options.sessions.close(handled.request) : undefined;
    const headers = own?.response
      ? this.#headers(exchange, own, cookie)
      : createHeaders(exchange.id, exchange.isSecure, !isData);
    headers['cache-control'] = 'no-store';
    addHeaders(headers, failure.headers);
    if (failure.status === 503) headers['retry-after'] ??= '1';
    delete headers.location;
    headers['content-type'] = isData ? PROBLEM : HTML;
    this.#send(exchange, failure.status, headers, isData ? JSON.stringify(toProblem(failure)) : page);
  }

  async #page(exchange: Exchange, failure: Failure, handled: Omit<Handled, 'response'>): Promise<string> {
    const page = await renderFailure(failure, { exchange, ...handled }, this.#options);
    return this.#options.decorate?.(page) ?? page;
  }

  #headers(exchange: Exchange, handled: Handled, cookie: string | undefined): OutgoingHttpHeaders {
    const isPage = exchange.door === 'page';
    const headers = createHeaders(exchange.id, exchange.isSecure, isPage || handled.response.hasContent());
    headers['cache-control'] = 'private, no-cache';
    if (isPage && this.#options.sessions.isPrivate(handled.request)) headers['cache-control'] = 'private, no-store';
    else if (exchange.query.includes('access_token=')) headers['cache-control'] = 'no-store';
    addHeaders(headers, handled.response.getHeaders());
    if (cookie !== undefined) headers['set-cookie'] = [headers['set-cookie'] ?? [], cookie].flat().map(String);
    return headers;
  }

  #sendResults(exchange: Exchange, handled: Handled, cookie: string | undefined): void {
    const { response } = handled;
    const headers = this.#headers(exchange, handled, cookie);
    headers['content-type'] ??= JSON_TYPE;
    const body = `{"error":false,"results":${toJson(response.getResults() ?? null)}}`;
    this.#sendTagged(exchange, response.getStatus(), headers, body);
  }

  #sendContent(exchange: Exchange, handled: Handled, cookie: string | undefined): void {
    const content = handled.response.getContent() as string | Uint8Array;
    const headers = this.#headers(exchange, handled, cookie);
    headers['content-type'] ??= toContentType(content, exchange.door);
    const isPage = typeof content === 'string' && String(headers['content-type']).startsWith('text/html');
    const body = isPage ? (this.#options.decorate?.(content) ?? content) : content;
    this.#sendTagged(exchange, handled.response.getStatus(), headers, body);
  }

  /** Tags what a GET of the API gives by its bytes; answers 304 where the client has them, or has the handler's own tag. */
  #sendTagged(exchange: Exchange, status: number, headers: OutgoingHttpHeaders, body: string | Uint8Array): void {
    const isRead = status === 200 && (exchange.method === 'GET' || exchange.method === 'HEAD');
    if (!isRead) {
      this.#send(exchange, status, headers, body);
      return;
    }
    if (exchange.door === 'api') headers.etag ??= `"${hash('sha1', body, 'base64url')}"`;
    const given = exchange.req.headers['if-none-match'];
    if (given === undefined || headers.etag === undefined || !isSameTag(given, String(headers.etag))) {
      this.#send(exchange, status, headers, body);
      return;
    }
    delete headers['content-type'];
    this.#send(exchange, 304, headers, '');
  }

  #sendStream(exchange: Exchange, handled: Handled, cookie: string | undefined): void {
    const sendable = handled.response.getStream();
    if (!sendable) return;
    // A stream that nobody reads would hold its file open.
    const drop = (): void => void (sendable.stream as Partial<Readable>).destroy?.();
    if (exchange.isDone) {
      drop();
      return;
    }
    exchange.isDone = true;
    const headers = this.#headers(exchange, handled, cookie);
    headers['content-type'] ??= 'application/octet-stream';
    if (sendable.bytes !== undefined) headers['content-length'] = sendable.bytes;
    const status = handled.response.getStatus();
    exchange.res.writeHead(status, headers);
    this.#options.accessLog?.(exchange, status);
    if (exchange.method === 'HEAD') {
      exchange.res.end();
      drop();
    } else {
      pipeline(sendable.stream, exchange.res, (error) => {
        if (error) this.#options.log.warn('stream ended early', { request: exchange.id, error });
      });
    }
  }

  #send(exchange: Exchange, status: number, headers: OutgoingHttpHeaders, body: string | Uint8Array): void {
    if (exchange.isDone) return;
    exchange.isDone = true;
    const { res, method } = exchange;
    const isBare = status === 204 || status === 304;
    if (!isBare) headers['content-length'] = Buffer.byteLength(body);
    if (this.#options.lifecycle.isStopping) headers.connection = 'close';
    res.writeHead(status, headers);
    if (isBare || method === 'HEAD') res.end();
    else res.end(body);
    this.#options.accessLog?.(exchange, status);
  }
}

/** What is missing or wrong where a handler left no answer; undefined where it did. */
function findFailure(response: Response): Failure | undefined {
  if (response.isAnswered()) return undefined;
  const status = response.getStatus();
  if (response.isError()) return toResponseFailure(response);
  if (status >= 400) return createFailure(status, response.getMessage());
  if (status === 204 || status === 304 || response.hasResults() || response.isSuccess()) return undefined;
  return createFailure(404);
}

export function createFinish(options: FinishOptions): Finish {
  return new Finisher(options);
}
