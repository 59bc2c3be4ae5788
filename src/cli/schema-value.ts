import { toColumn, toLabelText, toPlural } from '../model/names.ts';
import type { Field, Relation, Schema } from '../model/shape.ts';
import { addStamps, parseField } from './keys/field.ts';
import { changeKeys } from './keys/key.ts';
import { KEYS } from './keys/kinds.ts';
import { parseRelation } from './question/relation.ts';
import { findText, getList, isOn, type Values } from './spec.ts';

/** Default label of a row: the first text field is most likely its name. */
function toDisplay(name: string, fields: readonly Field[]): string | undefined {
  const first = fields.find(({ type }) => type === 'text');
  return first && `{{${toColumn(name, first.name)}}}`;
}

/** Builds a schema from the flags of `schema create`. @throws CLI_USAGE */
export function toSchema(name: string, values: Values): Schema {
  const given = getList(values, 'field').map((text) => parseField(text));
  const relations: Relation[] = getList(values, 'relation').map(parseRelation);
  const singular = findText(values, 'singular') ?? toLabelText(name);
  const display = toDisplay(name, given);
  const schema: Schema = {
    name,
    singular,
    plural: toPlural(singular),
    ...(display === undefined ? {} : { display }),
    fields: isOn(values, 'stamps') ? addStamps(given) : given,
    ...(relations.length === 0 ? {} : { relations }),
  };
  return changeKeys(schema, KEYS.schema, values);
}
