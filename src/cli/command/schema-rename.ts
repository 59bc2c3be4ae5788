import { readSchemas } from '../../model/rename/mention.ts';
import { renameSchema } from '../../model/rename/rename.ts';
import { getDefinition, readDefinitions, refuseExisting } from '../change/definition.ts';
import { CODE, runRename } from '../change/run-rename.ts';
import { createUsageError } from '../failure.ts';
import { createJudges } from '../question/judge.ts';
import { findSchemaNameError } from '../question/name.ts';
import { type CommandSpec, getText, isOn } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'name', description: 'name of the schema', of: 'schema' },
    { name: 'new', description: 'its new name', check: findSchemaNameError },
  ],
  options: [
    {
      name: 'paths',
      description: 'also renames the paths and names of its REST calls; tell the clients of the API',
    },
    CODE,
  ],
  isWriting: true,
  judges: (invocation) => createJudges('schema', 'new', invocation),
  examples: ['treadle schema rename article post', 'treadle schema rename article post --paths --code --dry-run'],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const from = getText(values, 'name');
    const to = getText(values, 'new');
    getDefinition(definitions, 'schema', from);
    refuseOwn(from);
    refuseExisting(definitions, 'schema', to);
    const isWithPaths = isOn(values, 'paths');
    const renamed = renameSchema(definitions, from, to, { isWithPaths });
    const named = [...definitions.rest].filter(
      ([, { value }]) => readSchemas(value).includes(from) && value.path.split('/').includes(from),
    );
    const hooks = [...definitions.webhook].filter(([, { value }]) => value.type.split('.').includes(from));
    return runRename(invocation, {
      question: `Rename the schema ${from} to ${to}, and everything that refers to it?`,
      definitions,
      renamed,
      moved: { kind: 'schema', from, to },
      notes: [
        ...(named.length === 0 || isWithPaths
          ? []
          : [
              `${named.length === 1 ? 'One call keeps its path' : `${named.length} calls keep their paths`}, so API clients keep working. --paths changes them.`,
            ]),
        ...hooks.map(
          ([name, { value }]) => `The web hook "${name}" keeps its type ${value.type}, which receivers know.`,
        ),
        'The rows stay: the next migration renames the table and its columns.',
      ],
      next: ['treadle check', 'treadle migrate --dry-run'],
    });
  },
};

/** Every user has a profile: the runtime uses that schema by name. */
function refuseOwn(name: string): void {
  if (name !== 'profile') return;
  throw createUsageError(
    'Every account has a row of the schema "profile", so its name is fixed.',
    'You can change its labels: treadle schema update profile --singular Person --plural People',
  );
}
