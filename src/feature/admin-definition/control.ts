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
