import { formats } from '../format/format.ts';
import { computeFormula } from '../format/format-formula.ts';
import { isCurrency, isTimeZone } from '../format/format-intl.ts';
import { fillTemplate } from '../format/format-text.ts';
import type { FieldType, Format, Validation } from '../shape.ts';
import { fieldKinds } from './field-kind.ts';
import { findRuleError, validators } from './validate.ts';

/** Formats that need parameters. */
const NEEDED: ReadonlySet<string> = new Set(['formula', 'custom']);
const COUNTS: ReadonlySet<string> = new Set(['characters', 'words', 'width', 'height']);

/** The error of a format's parameters, worded after `The format`; undefined if valid. */
export function findFormatError({ format, parameters = [] }: Format): string | undefined {
  const kind = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (!kind) return `"${format}" is unknown`;
  const names = kind.parameters;
  if (NEEDED.has(format) && parameters.length === 0) return `"${format}" needs a ${names[0]} as parameters`;
  if (parameters.length > names.length) {
    const takes = names.length === 0 ? 'no parameters' : `${names.join(', ')} and no more parameters`;
    return `"${format}" takes ${takes}`;
  }
  for (const [index, value] of parameters.entries()) {
    const name = names[index] ?? '';
    if (name === 'currency' && !isCurrency(String(value)))
      return `"${format}" takes a currency of ISO 4217 such as EUR, not "${value}"`;
    if (name === 'time zone' && !isTimeZone(String(value)))
      return `"${format}" takes a time zone of the IANA database such as Europe/Berlin, not "${value}"`;
    if (COUNTS.has(name) && !(Number.isInteger(Number(value)) && Number(value) > 0)) {
      return `"${format}" takes a whole number from 1 as ${name}, not "${value}"`;
    }
  }
  if (format !== 'formula') return undefined;
  // Tests the formula with every value as 1, which checks its arithmetic only.
  const tried = fillTemplate(String(parameters[0]).replace(/\{\{\s*[\w.]+\s*\}\}/g, '1'), {});
  const isArithmetic = computeFormula(tried) !== undefined || /[/%]/.test(tried);
  return isArithmetic ? undefined : `"formula" has a parameter that is not arithmetic: ${String(parameters[0])}`;
}

export const FLAGS = ['required', 'unique', 'searchable', 'filterable', 'sortable', 'private'] as const;
export type Flag = (typeof FLAGS)[number];

/** The flags, rules and formats that fields may have, for the linker. */
export interface FieldRules {
  readonly methods: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  /** Flags allowed for a type. */
  flags(type: FieldType): ReadonlySet<Flag>;
  /** The error of a rule with a known method, worded after "The rule"; undefined if valid. */
  findError(rule: Validation): string | undefined;
  /** The error of a known format's parameters, worded after "The format". */
  findFormatError?(format: Format): string | undefined;
}

const ROW_TYPES: ReadonlySet<FieldType> = new Set(['active', 'created', 'updated']);

function flags(type: FieldType): ReadonlySet<Flag> {
  const kind = fieldKinds[type];
  const allowed = new Set<Flag>();
  const isStored = kind.sql !== undefined;
  if (isStored && !kind.isSystem) allowed.add('required');
  // An index cannot hold text of any length.
  const isComparable = !kind.isJson && !kind.isSecret && !kind.isLong;
  if (isStored && isComparable && (!kind.isSystem || type === 'uuid' || type === 'computed')) allowed.add('unique');
  for (const flag of ['searchable', 'filterable', 'sortable'] as const) if (kind.flags[flag]) allowed.add(flag);
  // Nobody sees a secret, and a row's own fields decide who sees the row.
  if (isStored && !kind.isSecret && !ROW_TYPES.has(type)) allowed.add('private');
  return allowed;
}

export const fieldRules: FieldRules = {
  methods: new Set(Object.keys(validators)),
  formats: new Set(Object.keys(formats)),
  flags,
  findError: findRuleError,
  findFormatError,
};
