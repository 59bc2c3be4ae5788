import { TreadleError } from '../../core/errors.ts';
import type { Field } from '../../model/shape.ts';
import { applyChanges, getDefinition, parsePairs, readDefinitions, toOutcome } from '../definition.ts';
import { FIELD_FLAGS, parseField } from '../question/field.ts';
import { type CommandSpec, findText, getList, getText, isOn, type Values } from '../spec.ts';

const STAMP_TYPES: ReadonlySet<string> = new Set(['active', 'created', 'updated']);

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema' },
    { name: 'field', description: 'name of the field, or name:type[:flags]' },
  ],
  options: [
    { name: 'type', value: 'type', description: 'field type, such as text, wysiwyg, number, datetime, select' },
    { name: 'label', value: 'text', description: 'label on forms; made from the name if left out' },
    { name: 'description', value: 'text', description: 'what the field holds' },
    { name: 'option', value: 'key=label', description: 'a choice of a select', isRepeated: true },
    { name: 'fieldset', value: 'name', description: 'the group of fields, for type fieldset' },
    ...FIELD_FLAGS.map((name) => ({ name, description: `sets the flag ${name}` })),
  ],
  isWriting: true,
  examples: [
    'treadle field add article subtitle:text:searchable',
    'treadle field add article status --type select --option draft=Draft --option live=Live --filterable',
  ],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const name = getText(values, 'schema');
    const schema = getDefinition(definitions, 'schema', name);
    const field = toField(values);
    if (schema.fields.some((each) => each.name === field.name)) {
      throw new TreadleError('CLI_FIELD_EXISTS', `The schema "${name}" has a field "${field.name}" already.`, {
        status: 409,
        hint: `Edit config/schema/${name}.json, or remove it first: treadle field remove ${name} ${field.name}`,
      });
    }
    const value = { ...schema, fields: insert(schema.fields, field) };
    const files = await applyChanges(invocation, [{ kind: 'schema', name, value }]);
    return toOutcome(invocation, files, { next: ['treadle migrate --dry-run', 'treadle dev'] });
  },
};

/** Before the stamps that end a schema, so that forms show it where a person looks. */
function insert(fields: readonly Field[], field: Field): Field[] {
  const end = fields.findIndex((_, index) => fields.slice(index).every(({ type }) => STAMP_TYPES.has(type)));
  const at = end < 0 || STAMP_TYPES.has(field.type) ? fields.length : end;
  return [...fields.slice(0, at), field, ...fields.slice(at)];
}

function toField(values: Values): Field {
  const field: Field = { ...parseField(getText(values, 'field'), findText(values, 'type')) };
  for (const key of ['label', 'description', 'fieldset'] as const) {
    const text = findText(values, key);
    if (text !== undefined) field[key] = text;
  }
  const options = parsePairs(getList(values, 'option'), '--option');
  if (Object.keys(options).length > 0) {
    field.options = Object.entries(options).map(([key, value]) => ({ key, value: String(value) }));
  }
  for (const flag of FIELD_FLAGS) if (isOn(values, flag)) field[flag] = true;
  return field;
}
