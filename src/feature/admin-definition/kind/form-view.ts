import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { readDescription } from '../../../model/shape/walk.ts';
import { REST_METHODS, SHAPES } from '../../../model/shape.ts';
import type { Choice, ControlGroup, ControlSpec, FormFacts, Kind, Value } from './control.ts';
import { toMapRows } from './map-rows.ts';
import { type FormValues, readRows, toEntries, toText } from './read-form.ts';

/** A part of a sentence: text, or code. */
interface Part {
  readonly text: string;
  readonly isCode: boolean;
}

/** A description with code between backticks, as parts. */
export const toParts = (text: string): Part[] =>
  text
    .split('`')
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter(({ text: part }) => part !== '');

/** Empty rows that a table of a form has, so that it works without scripts. */
const SPARE = 2;

/** A stored definition as its form would post it. */
export function toPosted(controls: readonly ControlSpec[], value: Value): FormValues {
  return Object.fromEntries(
    controls.map(({ key, form, isTri, initial }) => {
      const stored = value[key];
      if (form === 'map') return [key, toMapRows(stored)];
      if (form === 'lines') return [key, Array.isArray(stored) ? stored.join('\n') : ''];
      if (form === 'check') return [key, (stored ?? initial ?? false) === true ? '1' : ''];
      if (form === 'permissions' || form === 'ticks') return [key, stored ?? []];
      return [key, stored === undefined ? (isTri === true ? '' : (initial ?? '')) : String(stored)];
    }),
  );
}

interface FormContent {
  readonly facts: FormFacts;
  readonly posted: FormValues;
  readonly faults: Readonly<Record<string, string>>;
  /** The definition, for choices that depend on other keys. */
  readonly value: Value;
  /** Keys whose tables get more empty rows. */
  readonly more?: string | undefined;
}

const toRows = <K extends string>(value: unknown, names: readonly K[], spare: number): Record<string, unknown>[] => {
  const filled = readRows(value, names).filter((row) => names.some((name) => row[name] !== ''));
  const empty = Array.from({ length: spare }, () => Object.fromEntries(names.map((name) => [name, ''])));
  return [...filled, ...empty].map((row, index) => ({ ...row, index, number: index + 1 }));
};

const toLocalChoice = ({ label, hint, ...rest }: Choice): Choice => ({
  ...rest,
  ...(label === undefined ? {} : { label: toLocalText(label) }),
  ...(hint === undefined ? {} : { hint: toLocalText(hint) }),
});

/** Ticks: the choices, and what is ticked although nothing of that name exists. */
function toTicks(choices: readonly Choice[], posted: unknown): Row[] {
  const ticked = toEntries(posted).map(String).filter(Boolean);
  const unknown = ticked.filter((name) => !choices.some(({ value }) => value === name));
  return [
    ...choices.map((choice, index) => ({ ...toLocalChoice(choice), index, isTicked: ticked.includes(choice.value) })),
    ...unknown.map((value, index) => ({ value, index: choices.length + index, isTicked: true, isUnknown: true })),
  ];
}

function toSelect({ isTri }: ControlSpec, choices: readonly Choice[], text: string, isOptional: boolean): Row[] {
  const own =
    isTri === true ? [choice('true', translate('Yes')), choice('false', translate('No, on purpose'))] : choices;
  const all = isOptional ? [choice('', translate('Not set')), ...own] : own;
  return all.map((each) => ({
    ...each,
    label: each.label === undefined ? each.value : toLocalText(each.label),
    isTicked: each.value === text,
  }));
}

const choice = (value: string, label: string): Choice => ({ value, label });

/** Keys of a kind that a definition must have. */
export function listRequiredKeys(kind: Kind): ReadonlySet<string> {
  const shape = SHAPES[kind].shape as Readonly<Record<string, { isOptional(): boolean }>>;
  return new Set(Object.keys(shape).filter((key) => shape[key]?.isOptional() === false));
}

function toControl(kind: Kind, spec: ControlSpec, { facts, posted, faults, value, more }: FormContent): Row {
  const { key, form } = spec;
  const shape = (SHAPES[kind].shape as Readonly<Record<string, Parameters<typeof readDescription>[0]>>)[key];
  const given = posted[key] ?? posted[`${key}[]`];
  const isOptional = !listRequiredKeys(kind).has(key);
  const choices = spec.choices?.(facts, value) ?? [];
  const spare = more === key ? SPARE * 2 : SPARE;
  const error = faults[key];
  const description = shape === undefined ? '' : (readDescription(shape) ?? '');
  return {
    key,
    id: `f-${key}`,
    label: translate(spec.label),
    hint: toParts(toLocalText(description)),
    isOptional: isOptional && form !== 'check',
    [`is_${form}`]: true,
    inputType: spec.inputType ?? 'text',
    // An example of a name, which people give in a language of their own.
    placeholder: spec.placeholder,
    text: toText(given),
    isTicked: toText(given) !== '',
    suggestions: form === 'text' || form === 'lines' ? choices : [],
    ticks: form === 'ticks' ? toTicks(choices, given) : [],
    options: form === 'select' ? toSelect(spec, choices, toText(given), isOptional) : [],
    rows: form === 'map' ? toRows(given, ['key', 'value'], spare) : [],
    permissions:
      form === 'permissions'
        ? toRows(given, ['path', 'method'], spare).map((row) => ({
            ...row,
            methods: REST_METHODS.map((method) => ({ value: method, isTicked: method === (row.method || 'all') })),
          }))
        : [],
    ...(error === undefined ? {} : { fault: error }),
  };
}

/** The groups of a form for its template. */
export function toGroupViews(kind: Kind, groups: readonly ControlGroup[], shown: FormContent): Row[] {
  return groups.map(({ title, isFolded, controls }, index) => ({
    id: `g-${index}`,
    title: translate(title),
    isFolded: isFolded === true,
    isOpen: controls.some(({ key }) => shown.value[key] !== undefined || shown.faults[key] !== undefined),
    controls: controls.map((spec) => toControl(kind, spec, shown)),
  }));
}
