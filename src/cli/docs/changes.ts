import { compareApis, describeChanges } from '../../edit/api-change/compare.ts';
import { withModel } from '../../plan/compile.ts';
import { compilePlan } from '../application.ts';
import { EXIT } from '../failure.ts';
import type { Invocation, Outcome } from '../spec.ts';
import { readRevision } from './revision.ts';
import { findNextVersion, isRaised } from './version.ts';

/**
 * What changed in the API since the definitions of a revision, and the version that it asks for. The code is today's on
 * both sides, because a command never runs code of another revision.
 */
export async function tellChanges(invocation: Invocation, revision: string): Promise<Outcome> {
  const plan = await compilePlan(invocation);
  const model = await readRevision(invocation, revision);
  const { describeApi } = await import('../../boot.ts');
  const changes = compareApis(describeApi(withModel(plan, model)), describeApi(plan));
  const isBreaking = changes.some(({ level }) => level === 'breaking');
  const { version: before } = model;
  const { version } = plan.model;
  const asks = findNextVersion(before, changes);
  const isRefused = isBreaking && (asks === undefined || !isRaised(version, asks));
  return {
    data: { revision, isBreaking, changes, version: { before, now: version, asks } },
    lines: [
      ...(changes.length === 0 ? [`The API is the same as in ${revision}.`] : describeChanges(changes)),
      ...toVersionLines({ before, version, asks }),
    ],
    exitCode: isRefused ? EXIT.differs : EXIT.done,
  };
}

interface Versions {
  readonly before: string | undefined;
  readonly version: string | undefined;
  readonly asks: string | undefined;
}

function toVersionLines({ before, version, asks }: Versions): string[] {
  if (asks === undefined || asks === before) return [];
  const now = version === before ? 'is still there' : `is ${version ?? 'missing'} now`;
  const end = isRaised(version, asks) ? 'That is enough.' : 'Raise "version" in package.json before the release.';
  return [`version: the changes since ${before} ask for ${asks}; it ${now}. ${end}`];
}
