import { readProject } from '../project/read.ts';
import { askDatabase } from './database.ts';
import type { Invocation } from './spec.ts';

type Boot = typeof import('../boot.ts');
export type AppOwner = Awaited<ReturnType<Boot['readOwners']>>[number];

/** Reads the state of the app files' owners without starting the project; none if there is no database yet. */
export async function readAppOwners(invocation: Invocation): Promise<readonly AppOwner[]> {
  const { definitions } = await readProject(invocation.root());
  const apps = [...definitions.app].map(([name, { value }]) => [name, value] as const);
  if (!apps.some(([, { owner }]) => owner !== undefined)) return [];
  const { readOwners } = await import('../boot.ts');
  try {
    return await askDatabase(invocation, (database) => readOwners(database, apps));
  } catch {
    // Without a table or a database, other findings report it.
    return [];
  }
}

/** A remark on an owner; undefined if there is no problem. */
export function toOwnerRemark({ owner, state }: AppOwner): string | undefined {
  if (state === 'verified') return undefined;
  if (state === 'missing') return `its owner ${owner} has no account: treadle user create --email ${owner} --name …`;
  const kept = state === 'kept' ? ' but keeps it' : ' and does not get it';
  return `its owner ${owner} is not verified${kept}: treadle user verify ${owner}`;
}
