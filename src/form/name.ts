/** The id of a control by its name: `lines[0][price]` gives `t-lines-0-price`. */
export const toFieldId = (name: string): string => `t-${name.replaceAll(']', '').replaceAll('[', '-')}`;

/** What an input shows of a value: scalars as text, other values as JSON. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
