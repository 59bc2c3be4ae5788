import { toDidYouMean } from '../../core/suggest.ts';
import { applyChanges, getDefinition, readDefinitions, toOutcome } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { parseRelationKind } from '../question/relation.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema that declares it' },
    { name: 'kind', description: 'its kind, such as 1:N' },
    { name: 'other', description: "the relation's name: the schema that it leads to, or its own" },
  ],
  isWriting: true,
  examples: ['treadle relation remove article 1:N comment'],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const schema = getDefinition(definitions, 'schema', getText(values, 'schema'));
    const kind = parseRelationKind(getText(values, 'kind'));
    const other = getText(values, 'other');
    const { relations: before = [], ...rest } = schema;
    const relations = before.filter((each) => !(each.kind === kind && (each.name ?? each.schema) === other));
    if (relations.length === before.length) {
      const known = before.map((each) => each.name ?? each.schema);
      throw createUsageError(
        `The schema "${schema.name}" has no relation ${kind} "${other}".`,
        toDidYouMean(other, known),
      );
    }
    const value = relations.length === 0 ? rest : { ...rest, relations };
    const files = await applyChanges(invocation, [{ kind: 'schema', name: schema.name, value }]);
    return toOutcome(invocation, files, { next: ['treadle migrate --dry-run'] });
  },
};
