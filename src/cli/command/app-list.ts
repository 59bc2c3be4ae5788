import { readAppOwners, toOwnerRemark } from '../app-owner.ts';
import { readDefinitions } from '../change/definition.ts';
import type { RegisteredApp } from '../change/registered.ts';
import { type CommandSpec, isOn } from '../spec.ts';
import { toTable } from '../terminal.ts';

type AppColumn = 'name' | 'title' | 'clientId' | 'state' | 'isPublic' | 'scopes' | 'pending' | 'pendingHooks';

interface AppRow extends Pick<RegisteredApp, AppColumn> {
  readonly from: 'file' | 'browser' | 'removed file';
  /** A remark on the owner that its file names; null if there is no problem. */
  readonly ownerRemark: string | null;
}

/** Scopes and web hooks that wait for approval. */
const listWaiting = ({ pending, pendingHooks }: AppRow): readonly string[] => [...pending, ...pendingHooks];

const HEAD = ['name', 'title', 'client id', 'from', 'remarks'];

function toLine(app: AppRow): string[] {
  const waiting = listWaiting(app);
  const remarks = [
    ...(app.state === 'active' ? [] : [app.state]),
    ...(app.isPublic ? ['public'] : []),
    ...(waiting.length === 0 ? [] : [`waits for approval of ${waiting.join(', ')}`]),
    ...(app.ownerRemark === null ? [] : [app.ownerRemark]),
  ];
  return [app.name ?? '-', app.title, app.clientId, app.from, remarks.join('; ')];
}

export const command: CommandSpec = {
  options: [{ name: 'files-only', description: 'lists only apps that have a file; needs no database' }],
  examples: ['treadle app list', 'treadle app list --files-only'],
  async run(invocation) {
    const definitions = await readDefinitions(invocation);
    const owners = isOn(invocation.values, 'files-only') ? [] : await readAppOwners(invocation);
    const remarks = new Map(owners.map((owner) => [owner.app, toOwnerRemark(owner)]));
    const found: AppRow[] = [...definitions.app].map(([name, { value }]) => ({
      name,
      title: value.title,
      clientId: value.clientId,
      from: 'file',
      state: 'active',
      isPublic: value.secretHash === undefined,
      scopes: value.scopes ?? [],
      pending: [],
      pendingHooks: [],
      ownerRemark: remarks.get(name) ?? null,
    }));
    if (!isOn(invocation.values, 'files-only')) {
      const { readRegistered } = await import('../change/registered.ts');
      const rows = await readRegistered(invocation);
      found.push(
        ...rows.map(
          ({ name, title, clientId, state, isPublic, scopes, pending, pendingHooks }): AppRow => ({
            name,
            title,
            clientId,
            from: name === null ? 'browser' : 'removed file',
            state,
            isPublic,
            scopes,
            pending,
            pendingHooks,
            ownerRemark: null,
          }),
        ),
      );
    }
    const waiting = found.find((app) => listWaiting(app).length > 0);
    return {
      data: found,
      lines: found.length === 0 ? ['None yet.'] : toTable([HEAD, ...found.map(toLine)]),
      next: [
        ...(found.length === 0 ? ['treadle app create --help'] : []),
        ...(waiting === undefined ? [] : [`treadle app approve ${waiting.clientId}`]),
      ],
    };
  },
};
