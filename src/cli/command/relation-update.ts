import { applyChanges } from '../../edit/change.ts';
import { toSentence } from '../../model/relation-sentence.ts';
import type { Relation } from '../../model/shape.ts';
import { getDefinition, readDefinitions, toOutcome } from '../change/definition.ts';
import { createUsageError } from '../failure.ts';
import { changeKeys, toUpdateOptions } from '../keys/key.ts';
import { RELATION_KEYS } from '../keys/kinds.ts';
import { getRelation } from '../owner.ts';
import { askUpdate, needAny } from '../question/update.ts';
import { type CommandSpec, getText, type Values } from '../spec.ts';

/** `--kind`, `--on-remove`, `--tree` and `--order`. A new name is a `relation rename`, which keeps the links. */
const KEYS = RELATION_KEYS.filter(({ key }) => key !== 'name');

/** Whether the schema that declares the relation has the column: only then a kind may change with its links. */
const isKeyHere = ({ kind }: Relation): boolean => kind === '1:1' || kind === '1:0';

/** @throws CLI_USAGE */
function changeRelation(relation: Relation, values: Values): Relation {
  const changed = changeKeys(relation, KEYS, values);
  if (changed.kind === relation.kind || (isKeyHere(changed) && isKeyHere(relation))) return changed;
  throw createUsageError(
    `A relation ${relation.kind} cannot become ${changed.kind}: its links are stored elsewhere.`,
    'Only 1:1 and 1:0 become one another. Add a second relation, carry the links over, and remove this one.',
  );
}

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema that declares it', of: 'schema' },
    { name: 'relation', description: 'its name; by default the related schema', of: 'relation' },
  ],
  options: toUpdateOptions(KEYS),
  isWriting: true,
  examples: [
    'treadle relation update comment profile --on-remove cascade',
    'treadle relation update task event --kind 1:0',
  ],
  async ask(invocation, prompt) {
    const { values } = invocation;
    const schema = getDefinition(await readDefinitions(invocation), 'schema', getText(values, 'schema'));
    await askUpdate({ keys: KEYS, value: getRelation(schema, getText(values, 'relation')), values, prompt });
  },
  async run(invocation) {
    const { values } = invocation;
    needAny(KEYS, values);
    const schema = getDefinition(await readDefinitions(invocation), 'schema', getText(values, 'schema'));
    const relation = getRelation(schema, getText(values, 'relation'));
    const changed = changeRelation(relation, values);
    const relations = (schema.relations ?? []).map((each) => (each === relation ? changed : each));
    const files = await applyChanges(invocation, [
      { kind: 'schema', name: schema.name, value: { ...schema, relations } },
    ]);
    const sentence = toSentence(schema.singular, changed);
    return toOutcome(invocation, files, { data: { sentence }, lines: [sentence], next: ['treadle migrate --dry-run'] });
  },
};
