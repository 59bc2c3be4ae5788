import { currentLocaleTag, toLocalText } from '../core/text/translate.ts';
import type { FieldControl } from '../model/field/control.ts';
import { toLocalCountries } from '../model/field/countries.ts';
import { toPlain } from '../model/format/format-text.ts';
import type { ControlKind } from './control-kind.ts';
import { type InputValue, listEntries } from './typed.ts';

export interface OptionView {
  readonly key: string;
  readonly value: string;
  readonly isChosen: boolean;
  readonly id: string;
}

/** The numbers that a rating can be, each with its stars. */
function listRatings({ attributes }: FieldControl): { key: string; value: string }[] {
  const [min, max, step] = [
    Number(attributes.min ?? 0),
    Number(attributes.max ?? 5),
    Number(attributes.step ?? 0.5) || 0.5,
  ];
  const count = Math.min(100, Math.floor((max - min) / step) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const number = Number((min + index * step).toFixed(2));
    return { key: String(number), value: `${number} ${'★'.repeat(Math.floor(number))}${number % 1 === 0 ? '' : '½'}` };
  });
}

function listChoices(control: FieldControl, kind: ControlKind): readonly { key: string; value: string }[] {
  if (kind === 'stars') return listRatings(control);
  return control.type === 'countrylist' ? toLocalCountries(control.options, currentLocaleTag()) : control.options;
}

/** The options of a choice, with those that are chosen. */
export function listOptions(control: FieldControl, kind: ControlKind, typed: InputValue, id: string): OptionView[] {
  const chosen = new Set(
    kind === 'checkboxes' ? listEntries(typed).map(([, item]) => toPlain(item)) : [toPlain(typed)],
  );
  const options = listChoices(control, kind);
  const known = new Set(options.map(({ key }) => key));
  // A value that is not an option any more stays the value, until somebody chooses another one.
  const left = [...chosen].filter((key) => key !== '' && !known.has(key)).map((key) => ({ key, value: key }));
  return [...options, ...left].map(({ key, value }, index) => ({
    key,
    value: toLocalText(value),
    isChosen: chosen.has(key),
    id: `${id}-${index}`,
  }));
}
