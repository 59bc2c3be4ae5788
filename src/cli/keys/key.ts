import { TreadleError } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { FormKey } from '../../model/form/key.ts';
import { isEmptyValue, isMapPath, setInMap } from '../../model/form/map.ts';
import { isRecord } from '../../model/json/json-value.ts';
import { createUsageError } from '../failure.ts';
import { getList, type OptionSpec, type Values } from '../spec.ts';

/** A key of a definition, and the flag that sets it. */
export interface KeySpec extends Omit<FormKey, 'shape' | 'parse'> {
  /** Long option without dashes: `redirect-uri`. */
  readonly flag: string;
  /** `one` value, a `switch`, a `list` whose flag is repeated, or a `map` of repeated `key=value`. */
  readonly form: 'one' | 'switch' | 'list' | 'map';
  /** The flag's text as the definition has it. @throws CLI_USAGE */
  readonly parse?: (text: string) => unknown;
  /** What an entry of a list is taken out by; itself where left out. */
  readonly identify?: (entry: unknown) => string;
  /** What the entry is called in the help: `--remove-option <key>`. */
  readonly identity?: string;
  /** The rule of its shape that the value, or an entry, breaks. */
  readonly judge?: (value: unknown) => string | undefined;
}

type Definition = Record<string, unknown>;

/** What is wrong with a typed value, so that a prompt asks again at once. */
export function findKeyError({ parse, judge }: KeySpec, text: string): string | undefined {
  try {
    const rule = judge?.(parse === undefined ? text : parse(text));
    return rule && `It ${rule}.`;
  } catch (error) {
    if (!(error instanceof TreadleError)) throw error;
    return [error.message, error.hint].filter(Boolean).join(' ');
  }
}

const isMany = ({ form }: KeySpec): boolean => form === 'list' || form === 'map';

function toOption(spec: KeySpec): OptionSpec {
  const { flag, value, description, choices } = spec;
  return {
    name: flag,
    description,
    ...(value === undefined ? {} : { value }),
    ...(choices === undefined ? {} : { choices }),
    ...(isMany(spec) ? { isRepeated: true } : {}),
    ...(spec.parse === undefined && spec.judge === undefined ? {} : { check: (typed) => findKeyError(spec, typed) }),
  };
}

const toSwitchOff = ({ flag, off }: KeySpec): OptionSpec => ({
  name: `no-${flag}`,
  description: off ?? `the opposite of \`--${flag}\``,
});

/** The flags that a definition is created with. */
export function toCreateOptions(keys: readonly KeySpec[]): OptionSpec[] {
  return keys.flatMap((spec): OptionSpec[] => {
    // A switch that is on by itself has only its opposite.
    if (spec.form === 'switch' && spec.otherwise === true) return [toSwitchOff(spec)];
    return [
      {
        ...toOption(spec),
        ...(spec.note === undefined ? {} : { description: `${spec.description} ${spec.note}` }),
        ...(spec.isRequired === true ? { isRequired: true } : {}),
        ...(spec.default === undefined ? {} : { default: spec.default }),
      },
      ...(spec.isOffWritten === true ? [toSwitchOff(spec)] : []),
    ];
  });
}

/** Flags of keys that can be taken away. */
const listUnset = (keys: readonly KeySpec[]): string[] =>
  keys
    .filter(({ isKept, form, isOffWritten }) => isKept !== true && (form !== 'switch' || isOffWritten === true))
    .map(({ flag }) => flag);

/**
 * The flags that a definition is changed with: those that it is created with, which replace what is there; `--add-…` and
 * `--remove-…` for lists and maps; `--no-…` for switches; `--unset` for what can be left out.
 */
export function toUpdateOptions(keys: readonly KeySpec[]): OptionSpec[] {
  const options = keys.flatMap((spec): OptionSpec[] => {
    if (spec.form === 'switch') return [toOption(spec), toSwitchOff(spec)];
    const option = toOption(spec);
    if (!isMany(spec)) return [option];
    const { flag, value } = spec;
    const identity = spec.identity ?? (spec.form === 'map' ? 'key' : value);
    return [
      { ...option, description: `${option.description} Those given replace all.` },
      { ...option, name: `add-${flag}`, description: 'adds one' },
      {
        name: `remove-${flag}`,
        ...(identity === undefined ? {} : { value: identity }),
        description: 'takes one out',
        isRepeated: true,
      },
    ];
  });
  const unset = listUnset(keys);
  if (unset.length === 0) return options;
  return [
    ...options,
    { name: 'unset', value: 'flag', description: 'takes away what the flag of that name sets', isRepeated: true },
  ];
}

/** Whether a flag of these says anything. */
export const isAnyGiven = (keys: readonly KeySpec[], values: Values): boolean =>
  toUpdateOptions(keys).some(({ name }) => values[name.replace(/^no-/, '')] !== undefined);

const identifyEntry = ({ identify }: KeySpec, entry: unknown): string => identify?.(entry) ?? String(entry);

function parseEntries(spec: KeySpec, values: Values, flag: string): unknown[] {
  return getList(values, flag, spec.isSplit === true).map((text) => spec.parse?.(text) ?? text);
}

function changeList(spec: KeySpec, before: unknown, values: Values): unknown[] | undefined {
  const { flag } = spec;
  const old: readonly unknown[] = Array.isArray(before) ? before : [];
  const given = values[flag] === undefined ? undefined : parseEntries(spec, values, flag);
  const added = parseEntries(spec, values, `add-${flag}`);
  const removed = getList(values, `remove-${flag}`, spec.isSplit === true);
  if (given === undefined && added.length === 0 && removed.length === 0) return undefined;
  const base = given ?? old;
  const known = base.map((entry) => identifyEntry(spec, entry));
  for (const name of removed) {
    if (!known.includes(name))
      throw createUsageError(`--remove-${flag} "${name}" is not there.`, toDidYouMean(name, known));
  }
  const remaining = base.filter((entry) => !removed.includes(identifyEntry(spec, entry)));
  const fresh = new Map(added.map((entry) => [identifyEntry(spec, entry), entry] as const));
  const changed = remaining.map((entry) => fresh.get(identifyEntry(spec, entry)) ?? entry);
  const here = new Set(remaining.map((entry) => identifyEntry(spec, entry)));
  return [...changed, ...[...fresh].filter(([name]) => !here.has(name)).map(([, entry]) => entry)];
}

function parseMap(spec: KeySpec, texts: readonly string[], base: Definition): Definition {
  return texts.reduce((map, text) => {
    const at = text.indexOf('=');
    if (at < 1)
      throw createUsageError(
        `--${spec.flag} "${text}" is not key=value.`,
        `Such as --${spec.flag} ${spec.sample ?? 'schema=article'}`,
      );
    const path = text.slice(0, at).split('.');
    if (!isMapPath(path)) {
      throw createUsageError(`--${spec.flag} can't set "${text.slice(0, at)}".`, 'Choose another key.');
    }
    const value = text.slice(at + 1);
    return setInMap(map, path, spec.parse?.(value) ?? value);
  }, base);
}

function changeMap(spec: KeySpec, before: unknown, values: Values): Definition | undefined {
  const { flag } = spec;
  const old = isRecord(before) ? before : {};
  const isGiven = values[flag] !== undefined;
  const added = getList(values, `add-${flag}`);
  const removed = getList(values, `remove-${flag}`);
  if (!isGiven && added.length === 0 && removed.length === 0) return undefined;
  const base = isGiven ? parseMap(spec, getList(values, flag), {}) : { ...old };
  for (const key of removed) {
    if (!Object.hasOwn(base, key)) {
      throw createUsageError(`--remove-${flag} "${key}" is not there.`, toDidYouMean(key, Object.keys(base)));
    }
    delete base[key];
  }
  return parseMap(spec, added, base);
}

function changeKey(spec: KeySpec, before: unknown, values: Values): unknown {
  const { form, flag, otherwise = false, isOffWritten = false } = spec;
  if (form === 'list') return changeList(spec, before, values);
  if (form === 'map') return changeMap(spec, before, values);
  const given = values[flag];
  if (form === 'switch') return given === otherwise && !isOffWritten ? null : given;
  if (typeof given !== 'string' || given === '') return undefined;
  return spec.parse === undefined ? given : spec.parse(given);
}

/**
 * A definition as the flags change it.
 *
 * @throws CLI_USAGE where a flag takes out what is not there, or its text cannot be read.
 */
export function changeKeys<T extends object>(value: T, keys: readonly KeySpec[], values: Values): T {
  const next = { ...value } as Definition;
  const unset = getList(values, 'unset');
  const known = listUnset(keys);
  for (const flag of unset) {
    if (!known.includes(flag)) throw createUsageError(`--unset can't be "${flag}".`, toDidYouMean(flag, known));
  }
  for (const spec of keys) {
    const changed = changeKey(spec, next[spec.key], values);
    if (changed !== undefined) next[spec.key] = changed;
    const isGone =
      unset.includes(spec.flag) || changed === null || (spec.isKept !== true && isEmptyValue(next[spec.key]));
    if (isGone) delete next[spec.key];
  }
  return next as T;
}
