import * as z from 'zod';
import { translate } from '../../../core/text/translate.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { isArrayShape, isObjectShape, readDescription, unwrapShape } from '../../../model/shape/walk.ts';
import { type Control, toChoices, toLines, toText } from '../control.ts';

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

const isTexts = (shape: Shape): boolean => isArrayShape(shape) && !isObjectShape(unwrapShape(shape.element));

function print({ shape }: Setting, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (isTexts(unwrapShape(shape))) return Array.isArray(value) ? value.map(String).join('\n') : '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** Words of a key: `readSeconds` becomes `Read seconds`. */
export function toSettingLabel(key: string): string {
  const words = key
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replace(/\b(?:url|api|cors)\b/g, (word) => word.toUpperCase())
    .replace(/\boauth\b/, 'OAuth');
  return translate(words.charAt(0).toUpperCase() + words.slice(1));
}

/** The control of a setting; it shows what holds, also where the file says nothing. */
export function toSettingControl(setting: Setting, shown: unknown, error: string | undefined): Control {
  const { path, shape } = setting;
  const inner = unwrapShape(shape);
  const key = toKey(setting);
  const base = {
    id: `setting-${path.join('-')}`,
    name: `s[${key}]`,
    label: toSettingLabel(path.at(-1) ?? ''),
    hint: translate(readDescription(shape) ?? '').replaceAll('`', ''),
    value: print(setting, shown),
    error,
  };
  if (inner instanceof z.ZodBoolean) return { ...base, kind: 'switch', isOn: shown === true };
  if (inner instanceof z.ZodEnum) {
    const names = inner.options.map(String);
    return {
      ...base,
      kind: 'select',
      groups: toChoices(
        names.map((name) => [name, name] as const),
        base.value,
      ),
    };
  }
  if (inner instanceof z.ZodNumber) return { ...base, kind: 'number' };
  if (inner instanceof z.ZodString) return { ...base, kind: 'text' };
  return { ...base, kind: 'area', isMono: true, isWide: !isTexts(inner) };
}

const toNumber = (text: string): unknown => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text);

function parse(shape: Shape, text: string): unknown {
  if (shape instanceof z.ZodNumber) return toNumber(text);
  if (isTexts(shape)) return toLines(text);
  if (shape instanceof z.ZodString || shape instanceof z.ZodEnum || text.trim() === '') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What a control was set to: what the file says if it was left alone; undefined where the file shall say nothing. */
export function readSetting(setting: Setting, posted: Values): unknown {
  const { shape, written, effective } = setting;
  const inner = unwrapShape(shape);
  const text = toText(posted[toKey(setting)]);
  if (inner instanceof z.ZodBoolean) {
    const isOn = text === '1';
    // What is left out counts as off.
    return isOn === (effective === true) ? written : isOn;
  }
  if (text.trim() === print(setting, effective).trim()) return written;
  // An empty text takes the setting back to its default.
  return text.trim() === '' ? undefined : parse(inner, text);
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
