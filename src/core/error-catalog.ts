import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './file/package-root.ts';
import { once } from './memoize.ts';
import { isObject } from './record.ts';

/** What a code of Treadle means. */
export interface ErrorEntry {
  readonly code: string;
  /** What happened, in a sentence or more. */
  readonly meaning: string;
  /** HTTP status of the answer that has the code; undefined for a code that no caller of HTTP meets. */
  readonly status: number | undefined;
  /** What to do about it. */
  readonly remedy: string | undefined;
}

function toEntry(code: string, given: unknown): ErrorEntry {
  const { meaning, status, remedy }: Record<string, unknown> = isObject(given) ? given : { meaning: given };
  return {
    code,
    meaning: String(meaning),
    status: typeof status === 'number' ? status : undefined,
    remedy: typeof remedy === 'string' ? remedy : undefined,
  };
}

/** Every code of Treadle by name, from `docs/errors.json`: a sentence, or an object for a code that callers of HTTP meet. */
export const readErrorCatalog = once((): ReadonlyMap<string, ErrorEntry> => {
  const given: Record<string, unknown> = JSON.parse(readFileSync(join(packageRoot, 'docs', 'errors.json'), 'utf8'));
  return new Map(Object.entries(given).map(([code, entry]) => [code, toEntry(code, entry)]));
});

/** The codes of refusals that have no code of their own, such as those of a project's code. */
const CODES_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'NOT_AUTHENTICATED',
  403: 'NOT_ALLOWED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  409: 'STATE_CONFLICT',
  410: 'NO_LONGER_THERE',
  412: 'PRECONDITION_FAILED',
  413: 'BODY_TOO_LARGE',
  415: 'TYPE_NOT_SUPPORTED',
  421: 'HOST_UNKNOWN',
  422: 'VALIDATION_FAILED',
  428: 'PRECONDITION_REQUIRED',
  429: 'TOO_MANY_REQUESTS',
  500: 'SERVER_FAILED',
  502: 'OTHER_SERVER_FAILED',
  503: 'SERVICE_BUSY',
  507: 'STORAGE_FULL',
};

/** The code of an error of which only the status is known. */
export const toStatusCode = (status: number): string =>
  CODES_BY_STATUS[status] ?? (status >= 500 ? 'SERVER_FAILED' : 'REQUEST_REFUSED');

/** The code whose page explains an error: its own, or for a code of the project that of the status. */
export const toDocumentedCode = (code: string, status: number): string =>
  readErrorCatalog().get(code)?.status === undefined ? toStatusCode(status) : code;
