import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import { readHeader } from './credentials.ts';

const EXPOSED = 'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
const HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Access-Secret';
/** Seconds for which a browser keeps a preflight's answer. */
const KEPT_SECONDS = 600;

/** Lets the listed origins read answers; never with credentials, since the API looks at no cookie. */
export interface Cors {
  /** Marks an answer. */
  mark(request: Request, response: Response): void;
  /** Marks the answer to a preflight. */
  allow(request: Request, response: Response, methods: readonly string[]): void;
}

/** Compiles the allow-list of `server.cors`; undefined where it is empty. Origins are compared whole. */
export function compileCors(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined;
  const allowed = new Set(origins);
  const mark = (request: Request, response: Response): boolean => {
    response.addHeader('vary', 'Origin');
    const origin = readHeader(request, 'origin');
    if (origin === undefined || origin === 'null' || !allowed.has(origin)) return false;
    response.addHeader('access-control-allow-origin', origin).addHeader('access-control-expose-headers', EXPOSED);
    return true;
  };
  return {
    mark,
    allow(request, response, methods) {
      if (!mark(request, response)) return;
      response
        .addHeader('access-control-allow-methods', methods.join(', '))
        .addHeader('access-control-allow-headers', HEADERS)
        .addHeader('access-control-max-age', String(KEPT_SECONDS));
    },
  };
}
