import { hash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { TreadleError } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import { printEnvelope } from '../../core/request/json-list.ts';
import { namesProblem } from '../../core/request/problem-accept.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { findSameTag, isStrongTag } from '../../core/request/tagging.ts';
import { leaveScope } from '../../core/scope.ts';
import type { Views } from '../../plan/feature.ts';
import { type AccessLog, toLoggedPath, toTraceField } from '../access-log.ts';
import type { Exchange, HandledExchange, Lifecycle, Mode } from '../exchange.ts';
import type { CachedPage } from '../page-cache.ts';
import type { RuntimeSessions } from '../session/session.ts';
import { addVary, chooseEncoding, createPacker, isPackable, type Packer, toEncodedTag } from './encoding.ts';
import { createFailure, type Failure, toFailure, toOAuthError, toResponseFailure } from './failure.ts';
import { renderFailure, renderPlainFailure } from './failure-page.ts';
import { addHeaders, createHeaders, GUARDED } from './header.ts';
import { dropStream, findBreak, pour } from './pour.ts';
import { toProblem } from './problem.ts';
import { addAddressHeaders, toPublicPage } from './public-address.ts';

export interface RespondOptions {
  readonly sessions: RuntimeSessions;
  readonly views: Views;
  readonly log: Log;
  readonly mode: Mode;
  readonly lifecycle: Lifecycle;
  readonly accessLog: AccessLog | undefined;
  /** Project root, the base of places in development. */
  readonly root: string;
  /** Adds the reload script to a page, in development. */
  readonly decorate: ((html: string) => string) | undefined;
}

/** The request and the incomplete response of an exchange that failed. */
export interface PartialExchange {
  readonly request: Request;
  readonly response: Response | undefined;
}

/** Headers of an incomplete answer that belong to the request and are kept. */
const ABOUT_REQUEST = /^(?:access-control-.+|vary|ratelimit|ratelimit-policy)$/;

/** Characters of a text that is measured and then sent as it is: Node writes it together with the headers. */
const MOST_MEASURED = 16_384;

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM = 'application/problem+json; charset=utf-8';
/** @see RFC 6749 section 5.2, whose clients accept no other type. */
const OAUTH_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** True if a text is a JSON document: it is then never sent as HTML, whatever its strings contain. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text) || !/[}\]]\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function toContentType(content: string | Uint8Array, kind: Exchange['kind']): string {
  if (typeof content !== 'string') return 'application/octet-stream';
  if (isJson(content)) return JSON_TYPE;
  if (kind === 'page' || /^\s*<(?:!doctype|html)/i.test(content)) return HTML;
  return 'text/plain; charset=utf-8';
}

/** True if a client wants data, not a page. */
function wantsJson(exchange: Exchange): boolean {
  if (exchange.kind !== 'page' || exchange.path.startsWith('/rest/')) return true;
  const accept = exchange.req.headers.accept ?? '';
  return accept.includes('json') && !accept.includes('text/html');
}

const ACCEPTS_JSON = /application\/json(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i;

/** Problem details, or plain JSON for a client that accepts only that. @see RFC 9457 section 3 */
function toProblemType(exchange: Exchange): string {
  const { accept = '' } = exchange.req.headers;
  return ACCEPTS_JSON.test(accept) && !namesProblem(accept) ? JSON_TYPE : PROBLEM;
}

/** The ETag of an answer's bytes: strong, beginning with the version of its row; weak for a list. */
function toTag(body: string | Uint8Array, response: Response): string {
  const tagging = response.tagging;
  const bytes = hash('sha1', body, 'base64url');
  if (tagging?.isWeak) return `W/"${bytes}"`;
  return tagging?.row === undefined ? `"${bytes}"` : `"${tagging.row}.${bytes}"`;
}

/** Begins the answer. What Node refuses, such as the status 0, throws while another answer is still possible. */
function writeHead(exchange: Exchange, status: number, headers: OutgoingHttpHeaders): void {
  exchange.res.writeHead(status, headers);
  exchange.isDone = true;
}

/** Turns responses and errors into HTTP. No other module does. */
export class Responder {
  readonly #options: RespondOptions;
  readonly #pack: Packer = createPacker();

  constructor(options: RespondOptions) {
    this.#options = options;
  }

  /** Sends the response of the listeners, or the failure that the exchange has instead; a promise if something is pending. */
  send(exchange: HandledExchange): Promise<void> | undefined {
    const { response, failure } = exchange;
    if (failure) return this.#sendFailure(exchange, failure.failure, this.#headers(exchange), failure.page);
    const status = response.getStatus();
    if (response.getStream()) return this.#sendStream(exchange);
    if (response.hasContent()) return this.#sendContent(exchange);
    if (response.isRedirect() || status === 204 || status === 304 || !response.hasJson()) {
      return this.#send(exchange, status, this.#headers(exchange), '');
    }
    return this.#sendResults(exchange);
  }

  /** Answers a thrown error; logs it if the server is the cause. Headers of the incomplete response stay if they are about the request. */
  fail(exchange: Exchange, error: unknown, begun?: PartialExchange): Promise<void> {
    const { mode, root, log } = this.#options;
    const failure = toFailure(error, mode === 'development' ? root : undefined);
    if (failure.status >= 500 && !(error instanceof TreadleError && error.isCounted)) {
      const path = toLoggedPath(exchange.path, '');
      log.error('request failed', {
        request: exchange.id,
        ...toTraceField(exchange),
        method: exchange.method,
        path,
        error,
      });
    }
    const about = Object.entries(begun?.response?.getHeaders() ?? {}).filter(([name]) => ABOUT_REQUEST.test(name));
    const headers = Object.fromEntries(about.map(([name, value]) => [name, String(value)]));
    return this.refuse(exchange, { ...failure, headers: { ...headers, ...failure.headers } }, begun?.request);
  }

  /**
   * Answers a failure before or without a response of listeners.
   * @param request Renders the failure in the site's layout, for its visitor. Default: a plain page.
   */
  async refuse(exchange: Exchange, failure: Failure, request?: Request): Promise<void> {
    const isData = wantsJson(exchange);
    const page = request
      ? await this.renderFailure(exchange, failure, request)
      : toPublicPage(renderPlainFailure(failure, exchange.id), exchange);
    await this.#sendFailure(exchange, failure, createHeaders(exchange.id, exchange.isSecure, !isData), page);
  }

  /** The page of a failure in the site's layout; empty for a client that wants data. */
  async renderFailure(exchange: Exchange, failure: Failure, request: Request): Promise<string> {
    if (wantsJson(exchange)) return '';
    const made = await renderFailure(failure, { exchange, request }, this.#options);
    return toPublicPage(this.#options.decorate?.(made) ?? made, exchange);
  }

  #sendFailure(exchange: Exchange, failure: Failure, headers: OutgoingHttpHeaders, page: string): undefined {
    headers['cache-control'] = 'no-store';
    addHeaders(headers, failure.headers);
    if (failure.status === 503) headers['retry-after'] ??= '1';
    delete headers.location;
    const isData = wantsJson(exchange);
    if (!isData) headers['content-type'] = HTML;
    else if (isBoundToOAuth(exchange)) Object.assign(headers, OAUTH_HEADERS);
    else headers['content-type'] = toProblemType(exchange);
    this.#send(exchange, failure.status, headers, isData ? toFailureText(failure, exchange) : page);
  }

  #headers(exchange: HandledExchange): OutgoingHttpHeaders {
    const { request, response, cookie } = exchange;
    const isPage = exchange.kind === 'page';
    const isData = String(response.getHeaders('content-type') ?? '').startsWith('application/json');
    const headers = createHeaders(exchange.id, exchange.isSecure, isPage || (response.hasContent() && !isData));
    headers['cache-control'] = 'private, no-cache';
    if (isPage && this.#options.sessions.isPrivate(request)) headers['cache-control'] = 'private, no-store';
    else if (exchange.query.includes('access_token=')) headers['cache-control'] = 'no-store';
    addHeaders(headers, response.getHeaders());
    if (exchange.isGuarded && String(headers['cache-control']).startsWith('public')) headers['cache-control'] = GUARDED;
    if (cookie !== undefined) headers['set-cookie'] = [cookie, headers['set-cookie'] ?? []].flat().map(String);
    return headers;
  }

  #sendResults(exchange: HandledExchange): Promise<void> | undefined {
    const headers = this.#headers(exchange);
    headers['content-type'] ??= JSON_TYPE;
    const { response } = exchange;
    return this.#sendTagged(exchange, headers, response.cachedBody ?? printEnvelope(response.getResults()));
  }

  #sendContent(exchange: HandledExchange): Promise<void> | undefined {
    const content = exchange.response.getContent() as string | Uint8Array;
    const headers = this.#headers(exchange);
    headers['content-type'] ??= toContentType(content, exchange.kind);
    const isPage = typeof content === 'string' && String(headers['content-type']).startsWith('text/html');
    // A sandbox, such as that of a mail's preview, would only refuse the script that reloads a page.
    const isScripted = isPage && !String(headers['content-security-policy']).startsWith('sandbox');
    const page = isScripted ? (this.#options.decorate?.(content) ?? content) : content;
    const body = isPage ? toPublicPage(String(page), exchange) : page;
    return this.#sendTagged(exchange, headers, body);
  }

  /** Adds an ETag to an API GET; answers 304 if the client has these bytes, or the handler's own ETag matches. */
  #sendTagged(
    exchange: HandledExchange,
    headers: OutgoingHttpHeaders,
    body: string | Uint8Array,
  ): Promise<void> | undefined {
    const { response } = exchange;
    const status = response.getStatus();
    const isRead = status === 200 && (exchange.method === 'GET' || exchange.method === 'HEAD');
    if (!isRead) return this.#sendPacked(exchange, status, headers, body);
    if (exchange.kind === 'api' || response.caching !== undefined) headers.etag ??= toTag(body, response);
    if (headers.etag === undefined) return this.#sendPacked(exchange, status, headers, body);
    const tag = String(headers.etag);
    response.tagging?.cache?.(tag, body, headers);
    const { 'if-match': wanted, 'if-none-match': known } = exchange.req.headers;
    // The order matters. @see RFC 9110 section 13.2.2
    if (wanted !== undefined && exchange.kind === 'api' && !isStrongTag(wanted, tag)) {
      return this.refuse(exchange, createFailure(412, '', { etag: tag }));
    }
    return this.#sendUnlessKnown(exchange, headers, body, known);
  }

  /** Sends 304 to a client that has the bytes of the ETag. */
  #sendUnlessKnown(
    exchange: Exchange,
    headers: OutgoingHttpHeaders,
    body: string | Uint8Array,
    known: string | undefined,
  ): Promise<void> | undefined {
    const same = findSameTag(known, String(headers.etag));
    if (same === undefined) return this.#sendPacked(exchange, 200, headers, body);
    headers.etag = same;
    if (isPackable(headers, Buffer.byteLength(body))) addVary(headers, 'Accept-Encoding');
    delete headers['content-type'];
    return this.#send(exchange, 304, headers, '');
  }

  /** Sends a cached page. */
  repeat(exchange: Exchange, { tag, body, headers: cachedHeaders }: CachedPage): Promise<void> | undefined {
    const headers = { ...createHeaders(exchange.id, exchange.isSecure, true), ...cachedHeaders, etag: tag };
    return this.#sendUnlessKnown(exchange, headers, body, exchange.req.headers['if-none-match']);
  }

  /** Sends in the encoding that the client prefers. */
  #sendPacked(
    exchange: Exchange,
    status: number,
    headers: OutgoingHttpHeaders,
    body: string | Uint8Array,
  ): Promise<void> | undefined {
    if (!isPackable(headers, body.length)) return this.#send(exchange, status, headers, body);
    addVary(headers, 'Accept-Encoding');
    const accept = exchange.req.headers['accept-encoding'];
    const encoding = chooseEncoding(Array.isArray(accept) ? accept.join(',') : accept);
    if (encoding === undefined) return this.#send(exchange, status, headers, body);
    const packed = this.#pack(body, encoding, { headers, target: `${exchange.path}?${exchange.query}` });
    headers['content-encoding'] = encoding;
    if (headers.etag !== undefined) headers.etag = toEncodedTag(String(headers.etag), encoding);
    if (!(packed instanceof Promise)) return this.#send(exchange, status, headers, packed);
    return packed.then((bytes) => this.#send(exchange, status, headers, bytes));
  }

  #sendStream(exchange: HandledExchange): undefined {
    const sendable = exchange.response.getStream();
    if (!sendable) return;
    const { stream, bytes } = sendable;
    if (exchange.isDone) return void dropStream(stream);
    const failure = findBreak(stream);
    if (failure !== undefined) throw failure;
    const headers = this.#headers(exchange);
    headers['content-type'] ??= 'application/octet-stream';
    if (bytes !== undefined) headers['content-length'] = bytes;
    const status = exchange.response.getStatus();
    addAddressHeaders(headers, exchange, status);
    writeHead(exchange, status, headers);
    this.#options.accessLog?.(exchange, status);
    if (exchange.method === 'HEAD') {
      exchange.res.end();
      dropStream(stream);
    } else {
      pour(stream, exchange.res, (error) => {
        if (!error) return;
        // A reader who leaves a page of server-sent events, or stops a download, is not an error of the server.
        const level = error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? 'debug' : 'warn';
        this.#options.log[level]('stream ended early', { request: exchange.id, error });
      });
    }
  }

  #send(exchange: Exchange, status: number, headers: OutgoingHttpHeaders, body: string | Uint8Array): undefined {
    if (exchange.isDone) return;
    addAddressHeaders(headers, exchange, status);
    const { res, method } = exchange;
    const isBare = status === 204 || status === 304;
    // Encoded once: measuring a long text costs as much as encoding it.
    const bytes = typeof body === 'string' && body.length > MOST_MEASURED ? Buffer.from(body) : body;
    if (!isBare) headers['content-length'] = Buffer.byteLength(bytes);
    if (this.#options.lifecycle.isStopping) headers.connection = 'close';
    writeHead(exchange, status, headers);
    if (isBare || method === 'HEAD') res.end();
    // Outside the scope: a client that does not read would keep the scope, with all rows of the answer.
    else leaveScope(() => res.end(bytes));
    this.#options.accessLog?.(exchange, status);
  }
}

/** Whether the answer has the form of RFC 6749: the client did not ask for problem details. */
const isBoundToOAuth = ({ isOAuth, req }: Exchange): boolean => isOAuth === true && !namesProblem(req.headers.accept);

const toFailureText = (failure: Failure, exchange: Exchange): string =>
  JSON.stringify(isBoundToOAuth(exchange) ? toOAuthError(failure) : toProblem(failure, exchange));

/** The failure of a handler without an answer; undefined if it answered. */
export function findFailure(response: Response): Failure | undefined {
  if (response.isAnswered()) return undefined;
  const status = response.getStatus();
  if (response.isError()) return toResponseFailure(response);
  if (status >= 400) return createFailure(status, response.getMessage());
  if (status === 204 || status === 304 || response.hasResults() || response.isSuccess()) return undefined;
  return createFailure(404);
}
