import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import { readHeader } from './credentials.ts';
import { refuse } from './errors.ts';

/**
 * Content types for PATCH: a merge patch, by its own type or as plain JSON. @see RFC 7396 @see RFC 5789
 * section 3.1
 */
const PATCH_TYPES = 'application/merge-patch+json, application/json';
const PATCH = /^application\/(?:merge-patch\+)?json$/;
const OTHERS = /^(?:application\/(?:(?:[\w.-]+\+)?json|x-www-form-urlencoded)|multipart\/form-data)$/;
const JSON_TYPE = /[/+]json$/;

/** True if the request's body is a merge patch. */
export const isPatch = (request: Request): boolean => request.getMethod() === 'PATCH';

/**
 * Checks that the body of a write has a supported content type and is an object. Answers 415 or 400 instead
 * of silently ignoring what was sent.
 */
export function checkBody(request: Request, response: Response): boolean {
  const isText = request.hasContent();
  const type = (readHeader(request, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!isText && (type === '' || !(request.hasPost() || request.hasFiles()))) return true;
  const isTaken = (isPatch(request) ? PATCH : OTHERS).test(type);
  if (!isTaken) return refuseType(request, response, type);
  return JSON_TYPE.test(type) ? checkJson(String(request.getContent()), response) : true;
}

function refuseType(request: Request, response: Response, type: string): false {
  const isOfPatch = isPatch(request);
  if (isOfPatch) response.addHeader('accept-patch', PATCH_TYPES);
  const taken = isOfPatch ? PATCH_TYPES : 'application/json, application/x-www-form-urlencoded, multipart/form-data';
  const given = type === '' ? 'A body without a Content-Type' : `"${type.slice(0, 64)}"`;
  return refuse(response, { status: 415, message: `${given} is not supported here: send ${taken}.` });
}

function checkJson(text: string, response: Response): boolean {
  return /^\s*\{/.test(text) || refuse(response, { status: 400, message: 'The body must be a JSON object.' });
}
