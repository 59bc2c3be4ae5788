import type { FormKey, ValueKind } from '../../model/form/key.ts';
import { findShapeError } from '../../model/parse.ts';
import { createUsageError } from '../failure.ts';
import { isJsonText, parseFlagJson } from './json.ts';
import type { KeySpec } from './key.ts';

/** How a command reads what no text is by itself. */
export type EntryParser = Pick<KeySpec, 'parse' | 'identify' | 'identity'>;

const toFlag = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** A repeated flag sets one entry of `redirectUris`: `redirect-uri`. */
const toEntryFlag = (key: string): string => toFlag(key).replace(/s$/, '');
const toLastWord = (flag: string): string => flag.slice(flag.lastIndexOf('-') + 1);

/** A stage's value: JSON where it reads as a list or an object, else the text. */
const parseStageValue = (given: string): unknown => (isJsonText(given) ? parseFlagJson(given) : given);

function toNumber(flag: string, least: number) {
  return (given: string): number => {
    if (/^\d{1,9}$/.test(given) && Number(given) >= least) return Number(given);
    throw createUsageError(`--${flag} can't be "${given}".`, `It is a whole number from ${least}.`);
  };
}

const FORMS: Readonly<Partial<Record<ValueKind, KeySpec['form']>>> = {
  switch: 'switch',
  list: 'list',
  parts: 'list',
  map: 'map',
};

/** Name of the flag's value: of a list, that of its entry. */
const toValueWord = ({ kind }: FormKey, flag: string): string =>
  kind === 'map' ? 'key[.key]=value' : kind === 'number' ? 'number' : kind === 'day' ? 'day' : toLastWord(flag);

function findParser({ kind, parse, least = 0 }: FormKey, flag: string): KeySpec['parse'] {
  if (kind === 'map') return parseStageValue;
  return kind === 'number' ? toNumber(flag, least) : parse;
}

function toKeySpec(formKey: FormKey, parser: EntryParser = {}): KeySpec {
  const { key, shape, choices, parse: _, value, ...more } = formKey;
  const form = FORMS[more.kind] ?? 'one';
  const flag = more.flag ?? (form === 'list' || form === 'map' ? toEntryFlag(key) : toFlag(key));
  const parse = findParser(formKey, flag);
  return {
    isSplit: form === 'list',
    isRequired: more.isKept,
    ...more,
    key,
    flag,
    form,
    ...(form === 'switch' ? {} : { value: value ?? toValueWord(formKey, flag) }),
    ...(parse === undefined ? {} : { parse }),
    ...(form === 'list' || form === 'one' ? { judge: (entry: unknown) => findShapeError(shape, entry) } : {}),
    // A parser knows what it takes.
    ...(choices === undefined || parser.parse !== undefined ? {} : { choices }),
    ...parser,
  };
}

/** The flags of a form's keys in the order of the shape, but for objects that no parser is given for. */
export const toKeys = (keys: readonly FormKey[], parsers: Readonly<Record<string, EntryParser>>): readonly KeySpec[] =>
  keys
    .filter(({ key, kind }) => key in parsers || (kind !== 'part' && kind !== 'parts'))
    .map((key) => toKeySpec(key, parsers[key.key]));
