import type { Exchange } from './exchange.ts';

/**
 * The data of `getServer`: `REQUEST_METHOD`, `REQUEST_URI`, `QUERY_STRING`, `REMOTE_ADDR`, `REQUEST_TIME` (unix
 * seconds), `REQUEST_ID`, `HTTPS`, each header as `HTTP_<NAME>` and, for convenience, under its own lower-case name.
 */
export function toServerData(exchange: Exchange): Record<string, unknown> {
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
