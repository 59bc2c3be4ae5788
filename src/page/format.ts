import { currentLocaleTag, translate } from '../core/text/translate.ts';
import { formatNumber } from '../model/format/format-intl.ts';

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** A size for people: `12.3 MB`. */
export function toSizeText(bytes: number): string {
  if (bytes < 1000) return translate('{count} bytes', { count: bytes });
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
  return `${formatNumber(currentLocaleTag(), bytes / 1000 ** power, digits)} ${UNITS[power - 1]}`;
}

/** A duration for people: `35 ms`, `2.5 s`. */
export const toDurationText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${formatNumber(currentLocaleTag(), milliseconds / 1000, {})} s`;
