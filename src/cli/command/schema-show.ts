import type { Definitions } from '../../model/definitions.ts';
import { readDecimalShape } from '../../model/field/field-kind-decimal.ts';
import { FLAGS } from '../../model/field/field-rules.ts';
import { printExclude } from '../../model/filter/exclude-text.ts';
import { printIndex } from '../../model/filter/index-text.ts';
import { printDefinition } from '../../model/json/json-schema.ts';
import { listFormer, toColumn, toPrimary } from '../../model/names.ts';
import { toReverseSentence, toSentence } from '../../model/relation-sentence.ts';
import { readSchemas } from '../../model/rename/mention.ts';
import type { Field, Relation, Schema } from '../../model/shape.ts';
import { getDefinition, readDefinitions } from '../change/definition.ts';
import { toDecimalText } from '../keys/decimal.ts';
import { toRuleText } from '../keys/rule.ts';
import { type CommandSpec, getText, isOn } from '../spec.ts';
import { toTable } from '../terminal.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the schema', of: 'schema' }],
  options: [{ name: 'file', description: 'prints the definition file' }],
  examples: ['treadle schema show article', 'treadle schema show article --file'],
  async run(invocation) {
    const { values, terminal } = invocation;
    const definitions = await readDefinitions(invocation);
    const name = getText(values, 'name');
    const schema = getDefinition(definitions, 'schema', name);
    const around = findAround(definitions, schema);
    if (isOn(values, 'file')) return { data: schema, lines: printDefinition('schema', schema).trimEnd().split('\n') };
    const { relations, calls, hooks } = around;
    const list = (title: string, lines: readonly string[]): string[] =>
      lines.length === 0 ? [] : ['', terminal.bold(title), ...lines.map((line) => `  ${line}`)];
    return {
      data: { ...schema, sentences: relations, calls: calls.map(([call]) => call), hooks: hooks.map(([hook]) => hook) },
      lines: [
        `${terminal.bold(schema.singular)}, ${schema.plural}${schema.description ? `: ${schema.description}` : ''}`,
        ...list('Fields', toTable([['column', 'type', 'flags', 'rules'], ...toRows(schema)])),
        ...list('Relations', relations),
        ...list('Periods that do not overlap', (schema.exclude ?? []).map(printExclude)),
        ...list('Indexes', (schema.indexes ?? []).map(printIndex)),
        ...list('Calls', toTable(calls.map(([call, method, path]) => [`${method} /rest${path}`, call]))),
        ...list('Web hooks', toTable(hooks.map(([hook, event, type]) => [event, type, hook]))),
      ],
      next: [`treadle field add ${name}`, ...(calls.length === 0 ? [`treadle rest generate ${name}`] : [])],
    };
  },
};

/** The columns of a schema, its key first. */
function toRows(schema: Schema): string[][] {
  const primary = [toPrimary(schema.name), 'key', '', ''];
  return [primary, ...schema.fields.map((field) => toRow(schema.name, field))];
}

function toRow(schema: string, field: Field): string[] {
  const { type, fieldset, options, was, expression } = field;
  const shape = type === 'decimal' ? readDecimalShape(field) : {};
  const more = [fieldset, options && `${options.length} choices`].filter((part) => part !== undefined);
  return [
    type === 'none' ? field.name : toColumn(schema, field.name),
    more.length === 0 ? (toDecimalText({ ...field, ...shape }) ?? type) : `${type} (${more.join(', ')})`,
    [...FLAGS.filter((flag) => field[flag] === true), ...(field.stored === true ? ['stored'] : [])].join(' '),
    [
      ...(expression === undefined ? [] : [expression]),
      ...(field.validation ?? []).map(toRuleText),
      ...listFormer(was).map((former) => `was ${former}`),
    ].join('; '),
  ];
}

interface SchemaUses {
  readonly relations: readonly string[];
  /** Name, method and path. */
  readonly calls: readonly (readonly [string, string, string])[];
  /** Name, event and type. */
  readonly hooks: readonly (readonly [string, string, string])[];
}

const toTreeWords = ({ tree, order }: Relation): string =>
  tree !== true ? '' : order === undefined ? ', as a tree' : `, as a tree in the order of ${order}`;

/** The relations to a schema's rows, from both ends. */
function findAround(definitions: Definitions, schema: Schema): SchemaUses {
  const own = (schema.relations ?? []).map((relation) => toSentence(schema.singular, relation) + toTreeWords(relation));
  const reverse = [...definitions.schema.values()].flatMap(({ value }) =>
    (value.relations ?? [])
      .filter((relation) => relation.schema === schema.name && value.name !== schema.name)
      .map((relation) => toReverseSentence(value.singular, schema.singular, relation)),
  );
  const calls = [...definitions.rest].flatMap(([name, { value }]) =>
    readSchemas(value).includes(schema.name) ? [[name, value.method.toUpperCase(), value.path] as const] : [],
  );
  const hooks = [...definitions.webhook].flatMap(([name, { value }]) =>
    readSchemas(value).includes(schema.name) ? [[name, value.event, value.type] as const] : [],
  );
  return { relations: [...own, ...reverse], calls, hooks };
}
