import { findApp } from '../change/registered.ts';
import { type CommandSpec, getText } from '../spec.ts';
import { toTable } from '../terminal.ts';
import { toCommand } from './definition-show.ts';

const toWords = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') || '(none)' : String(value ?? '(none)');

const ofFile = toCommand('app');

/** An app's definition, or by its client id one that was registered in the browser. */
export const command: CommandSpec = {
  arguments: [
    { name: 'name', description: 'name of the app, or client id of one registered in the browser', of: 'app' },
  ],
  examples: [...ofFile.examples, 'treadle app show app_Zk3'],
  async run(invocation) {
    const found = await findApp(invocation, getText(invocation.values, 'name'));
    if (typeof found === 'string') return ofFile.run({ ...invocation, values: { ...invocation.values, name: found } });
    const isWaiting = found.pending.length + found.pendingHooks.length > 0;
    return {
      data: found,
      lines: toTable(Object.entries(found).map(([key, value]) => [key, toWords(value)])),
      next: isWaiting ? [`treadle app approve ${found.clientId}`] : [],
    };
  },
};
