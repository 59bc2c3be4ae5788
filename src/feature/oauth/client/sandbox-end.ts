import type { Services } from '../../../plan/feature.ts';

/** Throws sandboxes away once the change that ends them is durable; a change that is rolled back keeps them. */
export async function endSandboxes({ database, sandboxes }: Services, names: readonly string[]): Promise<void> {
  if (sandboxes === undefined || names.length === 0) return;
  await database.afterCommit(async () => {
    for (const name of names) await sandboxes.remove(name);
  });
}
