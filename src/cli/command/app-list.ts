import { readDefinitions } from '../definition.ts';
import { type CommandSpec, isOn } from '../spec.ts';
import { toTable } from '../terminal.ts';

interface Listed {
  readonly name: string | null;
  readonly title: string;
  readonly clientId: string;
  readonly from: 'file' | 'browser' | 'removed file';
  readonly state: 'active' | 'suspended';
  readonly isPublic: boolean;
  readonly scopes: readonly string[];
  readonly pending: readonly string[];
}

const toLine = ({ name, title, clientId, from, state, isPublic, pending }: Listed): string[] => [
  name ?? '-',
  title,
  clientId,
  from,
  [
    ...(state === 'active' ? [] : [state]),
    ...(isPublic ? ['public'] : []),
    ...(pending.length === 0 ? [] : [`waits for ${pending.join(', ')}`]),
  ].join('; '),
];

export const command: CommandSpec = {
  options: [{ name: 'files-only', description: 'leaves out apps registered in the browser, so needs no database' }],
  examples: ['treadle app list', 'treadle app list --files-only'],
  async run(invocation) {
    const definitions = await readDefinitions(invocation);
    const found: Listed[] = [...definitions.app].map(([name, { value }]) => ({
      name,
      title: value.title,
      clientId: value.clientId,
      from: 'file',
      state: 'active',
      isPublic: value.secretHash === undefined,
      scopes: value.scopes ?? [],
      pending: [],
    }));
    if (!isOn(invocation.values, 'files-only')) {
      const { readRegistered } = await import('../registered.ts');
      const rows = await readRegistered(invocation);
      found.push(
        ...rows.map(({ name, title, clientId, state, isPublic, scopes, pending }): Listed => {
          return {
            name,
            title,
            clientId,
            from: name === null ? 'browser' : 'removed file',
            state,
            isPublic,
            scopes,
            pending,
          };
        }),
      );
    }
    const waiting = found.find(({ pending }) => pending.length > 0);
    return {
      data: found,
      lines: found.length === 0 ? ['There is none yet.'] : toTable(found.map(toLine)),
      next: [
        ...(found.length === 0 ? ['treadle app create --help'] : []),
        ...(waiting === undefined ? [] : [`treadle app approve ${waiting.clientId}`]),
      ],
    };
  },
};
