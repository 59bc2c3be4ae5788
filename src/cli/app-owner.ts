import { systemClock } from '../core/clock.ts';
import { silentLog } from '../core/log.ts';
import { overrideSettings, readEnvironment } from '../project/environment.ts';
import { readProject } from '../project/read.ts';
import type { Invocation } from './spec.ts';

type Boot = typeof import('../boot.ts');
export type AppOwner = Awaited<ReturnType<Boot['readOwners']>>[number];

/** Reads how the owners of app files stand, without starting the project; none where there is no database yet. */
export async function readAppOwners({ root, env }: Invocation): Promise<readonly AppOwner[]> {
  const { definitions } = await readProject(root());
  const apps = [...definitions.app].map(([name, { value }]) => [name, value] as const);
  if (!apps.some(([, { owner }]) => owner !== undefined)) return [];
  const { url } = overrideSettings(definitions.settings.value, readEnvironment(root(), env)).database;
  const [{ openDatabase }, { readOwners }] = await Promise.all([import('../database/open.ts'), import('../boot.ts')]);
  try {
    const database = await openDatabase({ url, root: root(), log: silentLog, clock: systemClock, isMaking: false });
    return await readOwners(database, apps).finally(() => database.close());
  } catch {
    // No table yet, or no database: other findings say which.
    return [];
  }
}

/** What there is to say of an owner; undefined where all is well. */
export function toOwnerRemark({ owner, state }: AppOwner): string | undefined {
  if (state === 'verified') return undefined;
  if (state === 'missing') return `its owner ${owner} has no account: treadle user create --email ${owner} --name …`;
  const kept = state === 'kept' ? ' but keeps it' : ' and does not get it';
  return `its owner ${owner} is not verified${kept}: treadle user verify ${owner}`;
}
