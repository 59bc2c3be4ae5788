import type { RequestSource } from '../core/request/request-source.ts';
import { MAX_PAIRS, parsePairs } from '../core/text/pairs.ts';
import { encodeHigh } from '../core/text/utf8.ts';
import type { Body } from './body/body.ts';
import type { Exchange } from './exchange.ts';
import { parseCookies } from './session/cookie.ts';
import type { OpenSession } from './session/session.ts';

/** An app's `state` comes back byte for byte, whatever it is. @see RFC 6749 section 4.1.2 */
const RETURNS_STATE = /^\/(?:oauth|dialog)\//i;

/** The request's parts, each created on first use. */
export function toSource(exchange: Exchange, body?: Body, session?: OpenSession): RequestSource {
  const { req, method, path, query } = exchange;
  const { cookie } = req.headers;
  const source: { -readonly [Key in keyof RequestSource]: RequestSource[Key] } = {
    method: method === 'HEAD' ? 'GET' : method,
    path,
    query,
    server: () => toServerData(exchange),
    headers: req.headers,
    isGone: () => req.socket.destroyed,
  };
  if (query !== '') source.get = () => parsePairs(encodeHigh(query), MAX_PAIRS, !RETURNS_STATE.test(path));
  if (cookie !== undefined && exchange.kind !== 'api') source.cookie = () => parseCookies(cookie);
  if (session) source.session = () => session.data;
  if (body) Object.assign(source, { post: () => body.post, files: () => body.files, body: () => body.raw });
  return source;
}

/**
 * The data of `getServer`: `REQUEST_METHOD`, `REQUEST_URI`, `QUERY_STRING`, `REMOTE_ADDR`, `REQUEST_TIME` (unix
 * seconds), `REQUEST_ID`, `HTTPS`, each header as `HTTP_<NAME>` and, for convenience, under its own lower-case name.
 */
function toServerData(exchange: Exchange): Record<string, unknown> {
  const { req, method, path, query } = exchange;
  const data: Record<string, unknown> = {
    REQUEST_METHOD: method,
    REQUEST_URI: query === '' ? path : `${path}?${query}`,
    QUERY_STRING: query,
    REMOTE_ADDR: exchange.address,
    REQUEST_TIME: Math.floor(exchange.startedAt / 1000),
    REQUEST_ID: exchange.id,
    HTTPS: exchange.isSecure ? 'on' : '',
    SERVER_PROTOCOL: `HTTP/${req.httpVersion}`,
    CONTENT_TYPE: req.headers['content-type'] ?? '',
    CONTENT_LENGTH: req.headers['content-length'] ?? '',
  };
  for (const [name, value] of Object.entries(req.headers)) {
    const text = Array.isArray(value) ? value.join(', ') : value;
    data[`HTTP_${name.toUpperCase().replaceAll('-', '_')}`] = text;
    data[name] = text;
  }
  return data;
}
