import { coerceNumber } from './field-kind-row.ts';
import type { Validation } from './shape.ts';
import { findPatternFault } from './text-pattern.ts';
import { validators } from './validate-rule.ts';

const COUNTING = /^(?:char|word)_/;

/** The fault of a definition's rule, worded after `The rule`; undefined if valid. */
export function findRuleFault({ method, parameters }: Validation): string | undefined {
  const validator = Object.hasOwn(validators, method) ? validators[method] : undefined;
  if (!validator) return `"${method}" is unknown`;
  const list = parameters === undefined ? [] : [parameters].flat();
  const wanted = validator.parameters;
  if (wanted === 'none') return list.length === 0 ? undefined : `"${method}" takes no parameters`;
  const [parameter] = list;
  if (parameter === undefined || parameter === '') {
    return `"${method}" needs ${wanted === 'list' ? 'a list' : `a ${wanted}`} as parameters`;
  }
  if (wanted !== 'list' && list.length > 1) return `"${method}" takes one parameter, not ${list.length}`;
  if (wanted === 'number' && typeof coerceNumber(parameter) !== 'number') {
    return `"${method}" needs a number as parameters, not "${parameter}"`;
  }
  if (COUNTING.test(method) && !(Number.isInteger(Number(parameter)) && Number(parameter) >= 0)) {
    return `"${method}" counts, so it needs a whole number from 0 as parameters, not "${parameter}"`;
  }
  const fault = wanted === 'pattern' ? findPatternFault(String(parameter)) : undefined;
  return fault === undefined ? undefined : `"${method}" has a pattern that ${fault}`;
}
