import { toStamp } from '../../core/clock.ts';
import { readFieldText } from '../json/json-value.ts';
import type { Field } from '../shape.ts';
import { fieldKinds } from './field-kind.ts';

/**
 * The value of a field in a new row (or group of a fieldset) if none is sent; undefined if there is no
 * default.
 */
export function toDefault({ default: value, type }: Field, now: number): unknown {
  if (typeof value === 'string' && /^\s*now\(\)\s*$/i.test(value)) {
    return fieldKinds[type].group === 'date' ? value : toStamp(now);
  }
  if (value !== undefined && value !== null) return readFieldText(type, value);
  return type === 'checkbox' || type === 'switch' ? 0 : undefined;
}
