import { translate } from '../../core/text/translate.ts';
import type { FormKey } from '../../model/form/key.ts';

/** A choice of a select. */
export interface ControlChoice {
  readonly value: string;
  readonly label: string;
  readonly isChosen: boolean;
}

/** A group of choices; one without a label has no heading. */
export interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly ControlChoice[];
}

/** A control of a form, for the template `definition/control`. */
export interface Control {
  readonly id: string;
  /** Name of the posted value. */
  readonly name: string;
  /** Translated. */
  readonly label: string;
  readonly hint?: string | undefined;
  readonly kind: 'text' | 'number' | 'select' | 'switch' | 'area' | 'shown';
  readonly value: string;
  readonly isOn?: boolean;
  readonly isRequired?: boolean;
  /** Says that it may be left empty. */
  readonly isOptional?: boolean;
  readonly isMono?: boolean;
  readonly isWide?: boolean;
  readonly groups?: readonly ChoiceGroup[];
  readonly error?: string | undefined;
  /** Suggestions while typing; the names of a list in the page. */
  readonly list?: string;
  /** True if it has the focus when the page opens. */
  readonly hasFocus?: boolean;
}

/** Choices without groups. */
export const toChoices = (choices: readonly (readonly [string, string])[], chosen: string): readonly ChoiceGroup[] => [
  { label: '', choices: choices.map(([value, label]) => ({ value, label, isChosen: value === chosen })) },
];

/** The control of a key by what its value is: what can be typed only as several lines is an area. */
export function toControl(
  { kind, choices, isMono }: Pick<FormKey, 'kind' | 'choices' | 'isMono'>,
  base: Omit<Control, 'kind'>,
): Control {
  if (base.groups !== undefined) return { ...base, kind: 'select' };
  if (choices !== undefined && kind === 'choice') {
    const pairs = choices.map((choice) => [choice, choice] as const);
    return { ...base, kind: 'select', groups: toChoices([['', translate('none')], ...pairs], base.value) };
  }
  if (kind === 'switch' || kind === 'literal') return { ...base, kind: 'switch', isOn: base.value !== '' };
  if (kind === 'number') return { ...base, kind };
  if (kind === 'list' || kind === 'map' || kind === 'parts') return { ...base, kind: 'area', isMono: true };
  return { ...base, kind: 'text', isMono: isMono === true };
}

/** The lines of a text area, without empty ones at the end. */
export function toLines(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  return text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A posted text without line ends of another system. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : '');
