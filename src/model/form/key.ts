import * as z from 'zod';
import { isArrayShape, isObjectShape, readDescription, unwrapShape } from '../shape/walk.ts';

type Shape = z.core.$ZodType;

/** Names that a key may hold. Whoever shows the key lists them from what it knows of the project. */
export type NameSource = 'event' | 'call' | 'scope' | 'hook' | 'column';

/** What people read of a key of a definition, and how they enter it, beside what its shape says. */
export interface KeyForm {
  /** English label on pages. Default: made from the key. */
  readonly label?: string;
  /** English hint on pages. Default: the description of the shape. */
  readonly help?: string;
  /** An example of a value, for a page. */
  readonly example?: string;
  readonly names?: NameSource;
  /** What a new definition gets where nothing is said. */
  readonly default?: string;
  /** What the page of a new definition begins with, where a command asks. */
  readonly preset?: string;
  /** What a yes or no is without the key. Default false. */
  readonly otherwise?: boolean;
  /** Whether `false` says another thing than no key, and so is written. */
  readonly isOffWritten?: boolean;
  /** A text of several lines. */
  readonly isLong?: boolean;
  /** A text that is read letter by letter, such as an expression. */
  readonly isMono?: boolean;
  readonly inputType?: 'url' | 'email';
  /** Type of the fields that have the key. */
  readonly of?: string;
  /** The typed text as the definition has it. */
  readonly parse?: (text: string) => string;
  /** What a wizard asks, besides for what a definition must have; `{name}` is that of the field. */
  readonly question?: string;
  /** Long option without dashes. Default: made from the key, of a list from its singular. */
  readonly flag?: string;
  /** Name of the flag's value in the help. Default: the last word of the flag. */
  readonly value?: string;
  /** What holds when it is created on the command line: a sentence after the description. */
  readonly note?: string;
  /** What `--no-…` of a yes or no does. */
  readonly off?: string;
  /** An entry of a map, for who wrote none. Default `schema=article`. */
  readonly sample?: string;
  /** Whether a command takes several entries of a list by comma. Default true. */
  readonly isSplit?: boolean;
  /** Whether a command asks for it. Default: as the shape says; false where it can be made from something else. */
  readonly isRequired?: boolean;
}

/** Keys that stand together. */
interface FormGroup<K extends string> {
  /** English title; empty for keys that stand without one. */
  readonly title: string;
  /** Folded on a page until one of its keys is set. */
  readonly isFolded?: boolean;
  readonly keys: { readonly [Key in K]?: KeyForm };
}

/** The form of a kind of definition. A key of the shape that it does not name stands at the end of its last group. */
export interface DefinitionForm<T = Readonly<Record<string, unknown>>> {
  readonly groups: readonly FormGroup<keyof T & string>[];
  /** Keys that a verb, a page or an argument of their own sets. */
  readonly elsewhere?: readonly (keyof T & string)[];
}

/** What a value is to whoever enters it: `literal` one value or none, `part` an object, `parts` a list of them, `json` anything else. */
export type ValueKind =
  | 'text'
  | 'number'
  | 'day'
  | 'choice'
  | 'switch'
  | 'literal'
  | 'list'
  | 'map'
  | 'part'
  | 'parts'
  | 'json';

/** What a value of a shape is, also of one inside its wrappers. */
export function findValueKind(outer: Shape): ValueKind {
  const shape = unwrapShape(outer);
  if (shape instanceof z.ZodBoolean) return 'switch';
  if (shape instanceof z.ZodLiteral) return 'literal';
  if (shape instanceof z.ZodEnum) return 'choice';
  if (shape instanceof z.ZodNumber) return 'number';
  if (shape instanceof z.ZodISODate) return 'day';
  if (shape instanceof z.ZodString) return 'text';
  if (shape instanceof z.ZodRecord) return 'map';
  if (isObjectShape(shape)) return 'part';
  if (isArrayShape(shape)) return isObjectShape(unwrapShape(shape.element)) ? 'parts' : 'list';
  return 'json';
}

/** The values of a choice, also of one inside its wrappers; of anything else none. */
export function listOptions(outer: Shape): readonly string[] {
  const shape = unwrapShape(outer);
  return shape instanceof z.ZodEnum ? shape.options.map(String) : [];
}

/** A key of a form with all that its shape says. */
export interface FormKey extends KeyForm {
  readonly key: string;
  readonly label: string;
  /** English, with code between backticks. */
  readonly description: string;
  readonly kind: ValueKind;
  /** Without the wrappers; of a list, that of an entry. */
  readonly shape: Shape;
  /** Whether a definition must have it. */
  readonly isKept: boolean;
  /** Values of a choice, or of the entries of a list. */
  readonly choices?: readonly string[];
  /** The one value of a literal. */
  readonly literal?: unknown;
  /** Least value of a number. */
  readonly least?: number;
}

export interface FormKeyGroup {
  readonly title: string;
  readonly isFolded: boolean;
  readonly keys: readonly FormKey[];
}

/** Words of a key: `readSeconds` becomes `Read seconds`. */
export function toKeyLabel(key: string): string {
  const words = key
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replace(/\b(?:url|api|cors)\b/g, (word) => word.toUpperCase())
    .replace(/\boauth\b/, 'OAuth');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toFormKey(key: string, outer: Shape, said: KeyForm | undefined): FormKey {
  const inner = unwrapShape(outer);
  const shape = isArrayShape(inner) ? inner.element : inner;
  return {
    key,
    label: toKeyLabel(key),
    description: readDescription(outer) ?? '',
    kind: findValueKind(inner),
    shape,
    isKept: !(outer instanceof z.ZodOptional),
    ...(shape instanceof z.ZodEnum ? { choices: listOptions(shape) } : {}),
    ...(shape instanceof z.ZodLiteral ? { literal: shape.value } : {}),
    ...(shape instanceof z.ZodNumber && shape.minValue !== null ? { least: shape.minValue } : {}),
    ...said,
  };
}

/** The groups of a form with all of their keys. */
export function fillForm({ shape }: z.ZodObject, { groups, elsewhere = [] }: DefinitionForm): readonly FormKeyGroup[] {
  const known = new Set<string>(['$schema', ...elsewhere, ...groups.flatMap(({ keys }) => Object.keys(keys))]);
  const others = Object.keys(shape).filter((key) => !known.has(key));
  return groups.map(({ title, isFolded = false, keys }, index) => {
    const names = [...Object.keys(keys), ...(index === groups.length - 1 ? others : [])];
    return { title, isFolded, keys: names.map((key) => toFormKey(key, shape[key], keys[key])) };
  });
}

/** The keys of a form in the order of the shape. */
export function listFormKeys({ shape }: z.ZodObject, groups: readonly FormKeyGroup[]): readonly FormKey[] {
  const order = Object.keys(shape);
  return groups.flatMap(({ keys }) => keys).sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
}
