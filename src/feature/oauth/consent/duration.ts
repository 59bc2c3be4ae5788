import { translate } from '../../../core/text/translate.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in its largest whole unit: `30 days`, `90 minutes`. */
export function toDuration(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length && seconds % length === 0) ?? UNITS[3];
  const count = Math.round(seconds / size);
  return translate(`{count, plural, one {# ${unit}} other {# ${unit}s}}`, { count });
}
