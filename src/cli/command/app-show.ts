import { printDefinition } from '../../model/json-schema.ts';
import { getDefinition, readDefinitions } from '../definition.ts';
import { type CommandSpec, getText } from '../spec.ts';
import { toTable } from '../terminal.ts';

const toWords = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') || '(none)' : String(value ?? '(none)');

/** An app's definition, or by its client id one that was registered in the browser. */
export const command: CommandSpec = {
  arguments: [
    { name: 'name', description: 'name of the app, or client id of one registered in the browser', of: 'app' },
  ],
  examples: ['treadle app show reader', 'treadle app show app_Zk3'],
  async run(invocation) {
    const name = getText(invocation.values, 'name');
    const definitions = await readDefinitions(invocation);
    // Client ids that the browser gave begin so: a slip in a name opens no database.
    if (!definitions.app.has(name) && name.startsWith('app_')) {
      const own = [...definitions.app].find(([, { value }]) => value.clientId === name)?.[0];
      const { readRegistered } = await import('../registered.ts');
      const app =
        own === undefined ? (await readRegistered(invocation)).find(({ clientId }) => clientId === name) : undefined;
      if (app) {
        const next = app.pending.length + app.pendingHooks.length === 0 ? [] : [`treadle app approve ${app.clientId}`];
        return { data: app, lines: toTable(Object.entries(app).map(([key, value]) => [key, toWords(value)])), next };
      }
      if (own !== undefined) return { data: getDefinition(definitions, 'app', own), lines: print(definitions, own) };
    }
    return { data: getDefinition(definitions, 'app', name), lines: print(definitions, name) };
  },
};

function print(definitions: Awaited<ReturnType<typeof readDefinitions>>, name: string): string[] {
  return printDefinition('app', getDefinition(definitions, 'app', name))
    .trimEnd()
    .split('\n');
}
