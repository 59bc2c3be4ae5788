import { toStamp } from '../core/clock.ts';
import { fieldKinds } from './field-kind.ts';
import type { Field } from './shape.ts';

/** What a new row (or group of a fieldset) has where nothing is sent for a field; undefined where that is nothing. */
export function toDefault({ default: value, type }: Field, now: number): unknown {
  if (typeof value === 'string' && /^\s*now\(\)\s*$/i.test(value)) {
    return fieldKinds[type].group === 'date' ? value : toStamp(now);
  }
  if (value !== undefined && value !== null) return value;
  return type === 'checkbox' || type === 'switch' ? 0 : undefined;
}
