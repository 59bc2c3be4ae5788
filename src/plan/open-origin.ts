import type { Request } from '../core/request/request.ts';
import type { Response } from '../core/request/response.ts';
import type { Model } from '../model/model.ts';

/** Headers of an answer that anybody may read without credentials. */
export interface OpenHeaders {
  readonly 'access-control-allow-origin'?: string;
  readonly 'access-control-expose-headers'?: string;
  readonly vary?: string;
}

/** The same for each origin, so that a cache may give one page's answer to another. `*` includes every header of the answer. */
const ANY: OpenHeaders = Object.freeze({ 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' });
const NONE: OpenHeaders = Object.freeze({ vary: 'Origin' });

/**
 * Who may read, by a browser, what needs no credentials: public calls, uploads, metadata, the OpenAPI document, and what
 * is not there. Any origin, unless `server.cors` lists some. Never with cookies.
 *
 * @param origin The request's `Origin`.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function findOpenHeaders({ settings }: Model, origin: string | undefined): OpenHeaders {
  const { cors } = settings.server;
  if (cors === undefined || cors.includes('*')) return ANY;
  if (origin === undefined || !cors.includes(origin)) return NONE;
  return { ...NONE, 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' };
}

/** Adds the headers of {@link findOpenHeaders}. */
export function markOpen(model: Model, request: Request, response: Response): void {
  const headers = findOpenHeaders(model, request.getHeader('origin'));
  for (const name in headers) response.addHeader(name, String(headers[name as keyof OpenHeaders]));
}
