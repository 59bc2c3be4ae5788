import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { noteRule } from '../../core/text/rule-note.ts';
import { translate } from '../../core/text/translate.ts';
import { findRoundedNumber } from '../../model/field/exact-number.ts';
import { refuse } from './errors.ts';

/**
 * Content types by method; a merge patch has its own type or is plain JSON. @see RFC 7396 @see RFC 5789 section 3.1
 */
export const BODY_TYPES = {
  PATCH: 'application/merge-patch+json, application/json, multipart/form-data',
  POST: 'application/json, application/x-www-form-urlencoded, multipart/form-data',
} as const;
const PATCH = /^(?:application\/(?:merge-patch\+)?json|multipart\/form-data)$/;
const OTHERS = /^(?:application\/(?:(?:[\w.-]+\+)?json|x-www-form-urlencoded)|multipart\/form-data)$/;
const JSON_TYPE = /[/+]json$/;
/** Some generated clients send JSON under this type. It is no type that is told, because other texts are refused. */
const TEXT = 'text/plain';
const EMPTY_OBJECT = /^\s*\{\s*\}\s*$/;

/** True if the request's body is a merge patch. */
export const isPatch = (request: Request): boolean => request.getMethod() === 'PATCH';

/**
 * Checks that the body of a write has a supported content type and is an object. Answers 415 or 400 instead
 * of silently ignoring what was sent.
 *
 * @param exact Keys of decimals, under which a number of JSON must not lose digits: 422.
 */
export function checkBody(request: Request, response: Response, exact?: ReadonlySet<string>): boolean {
  const isText = request.hasContent();
  const type = readType(request);
  if (!isText && (type === '' || !(request.hasPost() || request.hasFiles()))) return true;
  const isObject = type === TEXT && (request.hasPost() || EMPTY_OBJECT.test(String(request.getContent())));
  if (!isObject && !isTypeTaken(request, type)) return refuseType(request, response, type);
  return isObject || JSON_TYPE.test(type) ? checkJson(String(request.getContent()), response, exact) : true;
}

const readType = (request: Request): string =>
  (request.getHeader('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isTypeTaken = (request: Request, type: string): boolean => (isPatch(request) ? PATCH : OTHERS).test(type);

/** Refuses a type before the body was read: 415. A text may turn out to be JSON. */
export function checkType(request: Request, response: Response): boolean {
  const type = readType(request);
  return type === TEXT || isTypeTaken(request, type) || refuseType(request, response, type);
}

/** Adds `Accept-Post` or `Accept-Patch` to a 415. @see RFC 9110 section 15.5.16 */
function tellTypes(request: Request, response: Response): void {
  const method = request.getMethod();
  if (method === 'POST' || method === 'PATCH') response.addHeader(`accept-${method.toLowerCase()}`, BODY_TYPES[method]);
}

function refuseType(request: Request, response: Response, type: string): false {
  const taken = isPatch(request) ? BODY_TYPES.PATCH : BODY_TYPES.POST;
  tellTypes(request, response);
  return refuseOther(response, type, taken);
}

function refuseOther(response: Response, type: string, taken: string): false {
  const given = type === '' ? 'A body without a Content-Type' : `"${type.slice(0, 64)}"`;
  return refuse(response, {
    status: 415,
    code: 'BODY_TYPE_REFUSED',
    header: 'Content-Type',
    message: `${given} is not supported here: send ${taken}.`,
  });
}

/** Whether a text is a list in JSON. */
function isListText(text: string): boolean {
  try {
    return /^\s*\[/.test(text) && Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Whether the body is JSON, by its type or as a text that the runtime has read as JSON. */
export function isJson(request: Request): boolean {
  const type = readType(request);
  if (type === TEXT) return request.hasPost() || isListText(String(request.getContent()));
  return JSON_TYPE.test(type);
}

/** Refuses a body that is not JSON with 415. */
export const checkJsonType = (request: Request, response: Response): boolean =>
  isJson(request) || refuseNoJson(request, response);

/** As {@link checkJsonType}, before the body was read. A text may turn out to be JSON. */
export function checkJsonTypeAhead(request: Request, response: Response): boolean {
  const type = readType(request);
  return type === TEXT || JSON_TYPE.test(type) || refuseNoJson(request, response);
}

function refuseNoJson(request: Request, response: Response): false {
  response.addHeader('accept-post', 'application/json');
  return refuseOther(response, readType(request), 'application/json');
}

function checkJson(text: string, response: Response, exact: ReadonlySet<string> | undefined): boolean {
  if (!/^\s*\{/.test(text))
    return refuse(response, { status: 400, code: 'BODY_NOT_OBJECT', message: 'The body must be a JSON object.' });
  const rounded = exact && findRoundedNumber(text, exact);
  if (rounded === undefined) return true;
  return refuseRounded(response, rounded);
}

/** Refuses a number of a decimal that JSON has rounded. @param place Keys of the object that has it; default the body. */
export function refuseRounded(
  response: Response,
  { key = 'body', number }: NonNullable<ReturnType<typeof findRoundedNumber>>,
  place: readonly string[] = [],
): false {
  const text = '{key}: the number {number} has more digits than a JSON number keeps: write it in quotes.';
  const message = translate(text, { key, number });
  response.addValidation(...place, key, noteRule(message, { rule: 'digits' }));
  return refuse(response, { status: 422, code: 'NUMBER_TOO_LONG', message });
}
