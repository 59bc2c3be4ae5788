import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import type { AnsweredRequest } from '../core/request/answered-request.ts';
import type { Exchange } from './exchange.ts';

/** Names of query parameters that are never logged with their values, even percent-encoded. */
const SECRET = /token|secret|password|code|csrf|signature/i;

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Codes, tokens and secrets that Treadle issues, anywhere: in a path, or in a URL within the query. */
const ISSUED = /tk_[a-z]{2}_[A-Za-z0-9_-]+/g;
const blank = (text: string): string => text.replace(ISSUED, (found) => `${found.slice(0, 6)}[redacted]`);

/** The path with its query, with secrets redacted. */
export function toLoggedPath(path: string, query: string): string {
  if (query === '') return blank(path);
  const pairs = query.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    return equals >= 0 && SECRET.test(decodeName(name)) ? `${name}=[redacted]` : pair;
  });
  return blank(`${path}?${pairs.join('&')}`);
}

const TRACE = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The trace id of a request, as a field of a log line. @see W3C Trace Context section 3.2 */
export function toTraceField({ req }: Exchange): { readonly trace?: string } {
  const { traceparent } = req.headers;
  const trace = typeof traceparent === 'string' ? TRACE.exec(traceparent)?.[1] : undefined;
  return trace === undefined ? {} : { trace };
}

const FILE = /\.[A-Za-z0-9]+$/;

/** Writes one line for an answered request. */
export type AccessLog = (exchange: Exchange, status: number) => void;

/** Logs structured data, or one short line for a terminal. */
export function createAccessLog(log: Log, clock: Clock, isText: boolean): AccessLog {
  return (exchange, status) => {
    const { method, id } = exchange;
    const path = toLoggedPath(exchange.path, exchange.query);
    const milliseconds = clock.now() - exchange.startedAt;
    if (isText) {
      // Leaves out files that the browser already has.
      if (status === 304 && FILE.test(exchange.path)) return;
      log.info(`${method} ${path} ${status} ${milliseconds} ms`, status < 500 ? {} : { request: id });
    } else log.info('request', { method, path, status, milliseconds, request: id, ...toTraceField(exchange) });
  };
}

/** What features learn about a response. */
export const toAnswered = ({ method, path, id, res, startedAt }: Exchange, clock: Clock): AnsweredRequest => ({
  ...{ status: res.statusCode, method, path, id },
  milliseconds: clock.now() - startedAt,
});

/** Calls two listeners for each answer. */
export const toBoth =
  (first: AccessLog | undefined, second: AccessLog): AccessLog =>
  (exchange, status) => {
    first?.(exchange, status);
    second(exchange, status);
  };
