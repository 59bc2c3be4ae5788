import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { CallPlan } from '../../plan/feature.ts';

const toTime = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/**
 * Headers that announce a call's end. @see RFC 9745 section 2.1 (unix seconds). @see RFC 8594 section 3
 * (HTTP-date)
 */
function toHeaders({ deprecated, sunset }: CallPlan['definition']): Readonly<Record<string, string>> {
  return {
    ...(deprecated === undefined ? {} : { deprecation: `@${toTime(deprecated) / 1000}` }),
    ...(sunset === undefined ? {} : { sunset: new Date(toTime(sunset)).toUTCString() }),
  };
}

const addTo = (vary: unknown, name: string): string => (vary === undefined ? name : `${String(vary)}, ${name}`);

/** Compiles the headers for caching, deprecation and sunset from the call's definition. */
export function compileLifecycleHeaders(call: CallPlan): (request: Request, response: Response) => void {
  const { access, maxAge } = call.definition;
  const headers = Object.entries(toHeaders(call.definition));
  const caching = access === 'public' && maxAge !== undefined ? `public, max-age=${maxAge}` : undefined;
  return (request, response) => {
    if (access !== 'public') response.addHeader('vary', addTo(response.getHeaders('vary'), 'Authorization'));
    for (const [name, value] of headers) response.addHeader(name, value);
    if (caching !== undefined && request.isMethod('GET') && response.getHeaders('cache-control') === undefined) {
      response.addHeader('cache-control', caching);
    }
  };
}
