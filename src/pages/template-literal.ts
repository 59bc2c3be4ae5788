import type { Severity } from '../core/errors.ts';
import { isOneOf } from '../core/record.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import { findFieldError } from './template-form.ts';
import type { HelperSources } from './template-source.ts';
import { PUBLIC_SETTINGS } from './template-url.ts';

interface LiteralError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Default `error`, which keeps the project from being served. */
  readonly severity?: Severity;
}

type LiteralCheck = (value: string, sources: HelperSources) => LiteralError | undefined;

const FINDERS: Readonly<Record<string, LiteralCheck>> = {
  asset(value, { assets }) {
    if (!assets || assets.toUrl(value) !== undefined) return undefined;
    const message = `There is no file ${value} in public/.`;
    return { code: 'VIEW_ASSET_MISSING', message, hint: toDidYouMean(value, assets.list()) };
  },
  field(value, sources) {
    const error = findFieldError(value, sources);
    return error && { code: 'VIEW_FIELD_UNKNOWN', ...error, severity: 'warning' };
  },
  image(_value, { hasSharp }) {
    if (hasSharp?.() !== false) return undefined;
    const message = 'This asks for sizes of an image, but `sharp` is not installed: every visitor gets the original.';
    return { code: 'VIEW_IMAGE_SIZE', message, hint: 'Install it: npm install sharp', severity: 'advice' };
  },
  settings(value) {
    if (isOneOf(PUBLIC_SETTINGS, value)) return undefined;
    const message = `"${value}" is not a public setting.`;
    return { code: 'VIEW_SETTING_UNKNOWN', message, hint: toDidYouMean(value, PUBLIC_SETTINGS) };
  },
};

/** The error of a call that names a thing which does not exist; undefined for one that is right. */
export function findLiteralError(
  { name, value }: { readonly name: string; readonly value: string },
  sources: HelperSources,
): LiteralError | undefined {
  return Object.hasOwn(FINDERS, name) ? FINDERS[name]?.(value, sources) : undefined;
}
