import { type ServerResponse, STATUS_CODES } from 'node:http';
import { toStatusCode } from '../../core/error-catalog.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import { isObject, toObject } from '../../core/record.ts';
import type { Response } from '../../core/request/response.ts';
import { toReason } from '../../core/text/reason.ts';
import { toLocalText } from '../../core/text/translate.ts';

/** Why a request failed, in terms that may be shown. */
export interface Failure {
  readonly status: number;
  /** Its own, or that of its status. */
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly validation: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The query parameter that is wrong. */
  readonly parameter?: string | undefined;
  /** The request header that is wrong. */
  readonly header?: string | undefined;
  /** In development only. */
  readonly trace: Trace | undefined;
  /** Additional members of the body for this kind of error, such as `type`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

interface Trace {
  readonly message: string;
  /** `file:line:column` in the project's own code, if the stack names it. */
  readonly place: string | undefined;
  readonly stack: string;
}

const PUBLIC: Readonly<Record<number, string>> = {
  400: 'The request could not be understood.',
  403: 'This is not allowed.',
  404: 'There is nothing at this address.',
  405: 'This URL does not support that method.',
  406: 'This URL answers only in JSON.',
  412: 'It has changed meanwhile, or does not match the condition of the request.',
  413: 'The body is too large.',
  415: 'A body of this type is not accepted here.',
  421: 'This server does not answer to that name.',
  422: 'Some values are not valid.',
  428: 'State the version that you change: send the ETag of the row in If-Match.',
  429: 'Too many requests. Wait as long as Retry-After says.',
  500: 'The server failed. The error has been logged.',
  507: 'There is no space to store this. Please try again later.',
  503: 'The service is busy. Please try again in a moment.',
};

/** Message of a status that may not show its reason. */
function toPublicMessage(status: number): string {
  return PUBLIC[status] ?? PUBLIC[status >= 500 ? 500 : 400] ?? '';
}

export const toTitle = (status: number): string => toLocalText(STATUS_CODES[status] ?? 'Error');

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599;
}

/** A failure made by the runtime itself. */
export function createFailure(status: number, message = '', headers: Failure['headers'] = {}): Failure {
  const shown = toLocalText(status >= 500 || message === '' ? toPublicMessage(status) : message);
  const code = toStatusCode(status);
  return { status, code, message: shown, hint: undefined, validation: {}, headers, trace: undefined };
}

/**
 * The failure that a handler set on its response: its own status, otherwise 422 with validation messages and 400
 * without.
 */
export function toResponseFailure(response: Response): Failure {
  const own = response.getStatus();
  const status = isStatus(own) ? own : response.hasValidation() ? 422 : 400;
  const failure = createFailure(status, response.getMessage());
  const more = response.get('problem');
  const { code = failure.code, parameter, header } = response.refusal ?? {};
  return {
    ...failure,
    code,
    parameter,
    header,
    validation: toObject(response.getValidation()),
    ...(isObject(more) ? { more } : {}),
  };
}

function findPlace(stack: string, root: string): string | undefined {
  const line = stack.split('\n').find((entry) => entry.includes(root) && !entry.includes('node_modules'));
  return line && /\(?([^()\s]+:\d+:\d+)\)?$/.exec(line)?.[1]?.replace('file://', '').replace(`${root}/`, '');
}

function toTrace(error: unknown, root: string): Trace {
  if (!(error instanceof Error)) return { message: toReason(error), place: undefined, stack: '' };
  const { file, line } = toObject('detail' in error ? error.detail : undefined);
  // Code may put anything there.
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const place = file === undefined ? findPlace(stack, root) : line === undefined ? String(file) : `${file}:${line}`;
  return { message: typeof error.message === 'string' ? error.message : toReason(error), place, stack };
}

/** The failure for any thrown value. Only a TreadleError under 500 shows its message. */
export function toFailure(error: unknown, developmentRoot: string | undefined): Failure {
  const isKnown = error instanceof TreadleError;
  const status = isKnown && isStatus(error.status) ? error.status : 500;
  const failure = createFailure(status, isKnown ? error.message : '', isKnown ? error.headers : {});
  const isExposed = isKnown && status < 500;
  return {
    ...failure,
    code: isExposed ? error.code : failure.code,
    hint: isExposed && error.hint !== undefined ? toLocalText(error.hint) : undefined,
    trace: developmentRoot === undefined || status < 500 ? undefined : toTrace(error, developmentRoot),
  };
}

/** Error body of the endpoints in RFC 6749 section 5.2, whose clients expect a code in `error`. */
export function toOAuthError({ status, message }: Failure): Record<string, unknown> {
  const error = status === 503 ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request';
  return { error, error_description: message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'"), message };
}

/** Answers 500 without a body where a request could not be opened, or failed. */
export function answerError(res: ServerResponse, log: Log, error: unknown): void {
  log.error('request could not be opened', { error });
  if (!res.headersSent) res.writeHead(500, { 'content-length': 0 });
  res.end();
}
