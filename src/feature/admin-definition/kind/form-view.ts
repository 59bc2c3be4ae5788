import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { FormKey, FormKeyGroup } from '../../../model/form/key.ts';
import { REST_METHODS } from '../../../model/shape.ts';
import type { Choice, FormFacts, Value } from './control.ts';
import { findControl, listChoices } from './groups.ts';
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
export function toPosted(controls: readonly FormKey[], value: Value): FormValues {
  return Object.fromEntries(
    controls.map((spec) => {
      const { key, isOffWritten, otherwise = false, preset = spec.default ?? '' } = spec;
      const stored = value[key];
      switch (findControl(spec)) {
        case 'map':
          return [key, toMapRows(stored)];
        case 'lines':
          return [key, Array.isArray(stored) ? stored.join('\n') : ''];
        case 'check':
          return [key, (stored ?? otherwise) === true ? '1' : ''];
        case 'permissions':
        case 'ticks':
          return [key, stored ?? []];
        case 'json':
          return [key, stored === undefined ? '' : JSON.stringify(stored)];
        default:
          return [key, stored === undefined ? (isOffWritten === true ? '' : preset) : String(stored)];
      }
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

function toSelect({ isOffWritten, isKept }: FormKey, choices: readonly Choice[], text: string): Row[] {
  const own =
    isOffWritten === true ? [choice('true', translate('Yes')), choice('false', translate('No, on purpose'))] : choices;
  const all = isKept ? own : [choice('', translate('Not set')), ...own];
  return all.map((each) => ({
    ...each,
    label: each.label === undefined ? each.value : toLocalText(each.label),
    isTicked: each.value === text,
  }));
}

const choice = (value: string, label: string): Choice => ({ value, label });

function toControl(spec: FormKey, { facts, posted, faults, value, more }: FormContent): Row {
  const { key } = spec;
  const form = findControl(spec);
  const given = posted[key] ?? posted[`${key}[]`];
  const choices = listChoices(spec, facts, value);
  const spare = more === key ? SPARE * 2 : SPARE;
  const error = faults[key];
  return {
    key,
    id: `f-${key}`,
    label: translate(spec.label),
    hint: toParts(toLocalText(spec.help ?? spec.description)),
    isOptional: !spec.isKept && form !== 'check',
    [`is_${form === 'json' ? 'area' : form}`]: true,
    inputType: spec.inputType ?? 'text',
    // An example of a name, which people give in a language of their own.
    placeholder: spec.example,
    text: toText(given),
    isTicked: toText(given) !== '',
    suggestions: form === 'text' || form === 'lines' ? choices : [],
    ticks: form === 'ticks' ? toTicks(choices, given) : [],
    options: form === 'select' ? toSelect(spec, choices, toText(given)) : [],
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
export function toGroupViews(groups: readonly FormKeyGroup[], shown: FormContent): Row[] {
  return groups.map(({ title, isFolded, keys }, index) => ({
    id: `g-${index}`,
    title: translate(title),
    isFolded,
    isOpen: keys.some(({ key }) => shown.value[key] !== undefined || shown.faults[key] !== undefined),
    controls: keys.map((spec) => toControl(spec, shown)),
  }));
}
