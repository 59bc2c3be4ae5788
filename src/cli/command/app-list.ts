import { readDefinitions } from '../definition.ts';
import { type CommandSpec, isOn } from '../spec.ts';
import { toTable } from '../terminal.ts';

interface Listed {
  readonly name: string | null;
  readonly title: string;
  readonly clientId: string;
  readonly from: 'file' | 'browser';
}

export const command: CommandSpec = {
  options: [{ name: 'files-only', description: 'leaves out apps registered in the browser, so needs no database' }],
  examples: ['treadle app list', 'treadle app list --files-only'],
  async run(invocation) {
    const definitions = await readDefinitions(invocation);
    const found: Listed[] = [...definitions.app].map(([name, { value }]) => {
      return { name, title: value.title, clientId: value.clientId, from: 'file' };
    });
    if (!isOn(invocation.values, 'files-only')) {
      const { readRegistered } = await import('../registered.ts');
      const known = new Set(found.map(({ clientId }) => clientId));
      const rows = await readRegistered(invocation);
      found.push(
        ...rows.filter(({ clientId }) => !known.has(clientId)).map((row) => ({ ...row, from: 'browser' as const })),
      );
    }
    return {
      data: found,
      lines:
        found.length === 0
          ? ['There is none yet.']
          : toTable(found.map(({ name, title, clientId, from }) => [name ?? '-', title, clientId, from])),
      next: found.length === 0 ? ['treadle app create --help'] : [],
    };
  },
};
