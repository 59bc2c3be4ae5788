import * as z from 'zod';
import { translate } from '../../../core/text/translate.ts';
import { findValueKind, listOptions, toKeyLabel, type ValueKind } from '../../../model/form/key.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { isObjectShape, readDescription, unwrapShape } from '../../../model/shape/walk.ts';
import { type Control, toChoices, toControl, toLines, toText } from '../control.ts';
import { isShown } from '../shown.ts';

type Shape = z.core.$ZodType;
type Values = Readonly<Record<string, unknown>>;

/** A setting: its path, its shape, what the file says and what holds without it. */
interface Setting {
  readonly path: readonly string[];
  readonly shape: Shape;
  /** Undefined where the file says nothing. */
  readonly written: unknown;
  readonly effective: unknown;
}

/** Settings that a page must not show, because they may hold a password, or that name the shape itself. */
const HIDDEN: ReadonlySet<string> = new Set(['$schema', 'database']);

const read = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined);

/** Every setting, in the order of the shape. */
export function listSettings(shape: z.ZodObject, written: unknown, effective: unknown): Setting[] {
  const walk = (object: z.ZodObject, path: readonly string[], said: unknown, holds: unknown): Setting[] =>
    Object.entries(object.shape).flatMap(([key, outer]): Setting[] => {
      if (path.length === 0 && HIDDEN.has(key)) return [];
      const next = { path: [...path, key], shape: outer, written: read(said, key), effective: read(holds, key) };
      const inner = unwrapShape(outer);
      return isObjectShape(inner) ? walk(inner, next.path, next.written, next.effective) : [next];
    });
  return walk(shape, [], written, effective);
}

const toKey = ({ path }: Setting): string => path.join('.');

function print({ shape }: Setting, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (findValueKind(shape) === 'list') return Array.isArray(value) ? value.map(String).join('\n') : '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

const toId = (path: readonly string[]): string => `setting-${path.join('-')}`;

/** The control of a setting; it shows what holds, also where the file says nothing. */
export function toSettingControl(setting: Setting, shown: unknown, error: string | undefined): Control {
  const { path, shape } = setting;
  const kind = findValueKind(shape);
  const key = toKey(setting);
  const base = {
    id: toId(path),
    name: `s[${key}]`,
    label: translate(toKeyLabel(path.at(-1) ?? '')),
    hint: translate(readDescription(shape) ?? '').replaceAll('`', ''),
    value: print(setting, shown),
    error,
  };
  if (kind === 'switch') return { ...base, kind, isOn: shown === true };
  const pairs = listOptions(shape).map((name) => [name, name] as const);
  // A setting always has a value.
  if (kind === 'choice') return toControl({ kind }, { ...base, groups: toChoices(pairs, base.value) });
  const isJson = kind !== 'list' && kind !== 'number' && kind !== 'text';
  return isJson ? { ...base, kind: 'area', isMono: true, isWide: true } : toControl({ kind }, base);
}

const toNumber = (text: string): unknown => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text);

function parse(kind: ValueKind, text: string): unknown {
  if (kind === 'number') return toNumber(text);
  if (kind === 'list') return toLines(text);
  if (kind === 'text' || kind === 'choice' || text.trim() === '') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What a control was set to: what the file says if it was left alone; undefined where the file shall say nothing. */
export function readSetting(setting: Setting, form: Values): unknown {
  const { path, shape, written, effective } = setting;
  const kind = findValueKind(shape);
  const posted = read(form.s, toKey(setting));
  if (!isShown(form, toId(path), posted)) return written;
  const text = toText(posted);
  if (kind === 'switch') {
    const isOn = text === '1';
    // What is left out counts as off.
    return isOn === (effective === true) ? written : isOn;
  }
  if (text.trim() === print(setting, effective).trim()) return written;
  if (text.trim() !== '') return parse(kind, text);
  // An empty text takes the setting back to its default. Without one, a list that was emptied is not a list that is left out.
  const hasDefault = kind !== 'list' || z.safeParse(shape, undefined).data !== undefined;
  return hasDefault ? undefined : [];
}

/** A value with a part set, or taken away; an object that becomes empty goes too. */
export function setPart(value: Values, path: readonly string[], part: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path;
  const next = { ...value };
  if (rest.length === 0) {
    if (part === undefined) delete next[key];
    else next[key] = part;
    return next;
  }
  const before = isRecord(next[key]) ? next[key] : {};
  const inner = setPart(before, rest, part);
  if (Object.keys(inner).length > 0) next[key] = inner;
  else if (Object.keys(before).length > 0) delete next[key];
  return next;
}
