import { isDeepStrictEqual } from 'node:util';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { parseRuleParameter } from '../../edit/field-text.ts';
import { validators } from '../../model/field/validate.ts';
import type { Validation } from '../../model/shape.ts';
import { createUsageError } from '../failure.ts';
import { parseFlagJson } from './json.ts';

/** A pattern between delimiters, then what follows it. */
const DELIMITED = /^(\/(?:[^/\\]|\\.)*\/[a-z]*)(?::([\s\S]*))?$/;

function split(text: string): [string, string | undefined] {
  const at = text.indexOf(':');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Parameter and message of a rule, as its method takes them. */
function parseRest(kind: string, rest: string): [Validation['parameters'], string | undefined] {
  if (kind === 'none') return [undefined, rest.replace(/^:/, '')];
  if (kind === 'pattern') {
    const [, pattern, message] = DELIMITED.exec(rest) ?? [undefined, rest, undefined];
    return [pattern, message];
  }
  const [parameter, message] = split(rest);
  return [parseRuleParameter(kind, parameter), message];
}

/**
 * `method[:parameter][:message]` as a rule, or JSON. A method without a parameter takes its message at once
 * (`required:Title is required`); a list is by comma; a pattern with a message stands between `/` and `/`.
 *
 * @throws CLI_USAGE for a method that is not there.
 */
export function parseRule(text: string): Validation {
  if (text.trimStart().startsWith('{')) return parseFlagJson(text) as Validation;
  const [method, rest] = split(text);
  const known = validators[method];
  if (known === undefined) {
    throw createUsageError(`There is no validation method "${method}".`, toDidYouMean(method, Object.keys(validators)));
  }
  if (rest === undefined) return { method };
  const [parameters, message] = parseRest(known.parameters, rest);
  return {
    method,
    ...(parameters === undefined ? {} : { parameters }),
    ...(message === undefined || message === '' ? {} : { message }),
  };
}

/** A rule as its flag says it. */
export function toRuleText(rule: Validation): string {
  const { method, parameters, message } = rule;
  const parts = [method, parameters === undefined ? undefined : [parameters].flat().join(','), message];
  const text = parts.filter((part) => part !== undefined).join(':');
  return isDeepStrictEqual(parseRule(text), rule) ? text : JSON.stringify(rule);
}
