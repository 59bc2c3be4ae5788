/** The id of a control by its name: `lines[0][price]` gives `t-lines-0-price`. */
export const toFieldId = (name: string): string => `t-${name.replaceAll(']', '').replaceAll('[', '-')}`;
