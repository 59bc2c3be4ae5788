import { parsePairs } from '../core/pairs.ts';
import type { RequestSource } from '../core/request-source.ts';
import type { Body } from './body.ts';
import { parseCookies } from './cookie.ts';
import type { Exchange } from './exchange.ts';
import { toServerData } from './server-data.ts';
import type { OpenSession } from './session.ts';

/** The request's parts, each created on first use. */
export function toSource(exchange: Exchange, body?: Body, session?: OpenSession): RequestSource {
  const { req, method, path, query } = exchange;
  const { cookie } = req.headers;
  const source: { -readonly [Key in keyof RequestSource]: RequestSource[Key] } = {
    method: method === 'HEAD' ? 'GET' : method,
    path,
    query,
    server: () => toServerData(exchange),
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    isGone: () => req.socket.destroyed,
  };
  if (query !== '') source.get = () => parsePairs(query);
  if (cookie !== undefined && exchange.door !== 'api') source.cookie = () => parseCookies(cookie);
  if (session) source.session = () => session.data;
  if (body) Object.assign(source, { post: () => body.post, files: () => body.files, body: () => body.raw });
  return source;
}
