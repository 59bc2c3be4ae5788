import { noteRule } from '../core/text/rule-note.ts';
import { toLocalText, translate } from '../core/text/translate.ts';
import type { ExcludeModel, SchemaModel } from './model.ts';
import { toLabelText } from './names.ts';

/** A column in words for visitors: the label of its field, or the related schema, as `Talk` for `talk_id`. */
const toSpoken = ({ byName }: SchemaModel, name: string): string =>
  toLocalText(byName.get(name)?.label ?? toLabelText(name.replace(/_id$/, '')));

/** The message for a period that ends before it starts. It stands beside the end. */
export function toReversedMessage(schema: SchemaModel, { range: [from, until] }: ExcludeModel): string {
  const words = { until: toSpoken(schema, until), from: toSpoken(schema, from) };
  return noteRule(translate('{until} must not come before {from}', words), {
    rule: 'period',
    params: { column: from },
  });
}

/** The message for a period that overlaps that of another row: the rule's own, or the default. It stands beside the start. */
export const toOverlapMessage = (schema: SchemaModel, rule: ExcludeModel): string =>
  noteRule(toOverlapText(schema, rule), { rule: 'overlap', params: { columns: rule.columns } });

function toOverlapText(schema: SchemaModel, { columns, message }: ExcludeModel): string {
  if (message !== undefined) return toLocalText(message);
  const singular = toLocalText(schema.singular);
  if (columns.length === 0) return translate('Another {singular} has a part of this period', { singular });
  const names = columns.map((name) => toSpoken(schema, name)).join(', ');
  return translate('Another {singular} with the same {columns} has a part of this period', {
    singular,
    columns: names,
  });
}

/** What the rules of `exclude` say, in a sentence or two each, for the docs. */
export function describePeriods(schema: SchemaModel): string[] {
  return schema.exclude.map((rule) => {
    const [from, until] = rule.range;
    const columns = rule.columns.join(', ');
    const words = { from, until, columns, message: toOverlapMessage(schema, rule) };
    return columns === ''
      ? translate(
          'The periods from {from} to {until} of two rows do not overlap: 409, {message}. An end does not belong to its period, and a missing start or end is open.',
          words,
        )
      : translate(
          'The periods from {from} to {until} of two rows with the same {columns} do not overlap: 409, {message}. An end does not belong to its period, and a missing start or end is open.',
          words,
        );
  });
}
