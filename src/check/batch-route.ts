import { compilePattern } from '../core/bus/pattern.ts';
import type { Problem } from '../core/errors.ts';
import { listBatches } from '../plan/call/batch.ts';
import type { CompiledPlan } from '../plan/compile.ts';

const ROUTE = /^(?:POST|ALL) (\/rest\/.*)$/;

/** Advice on routes of the project at the path of a batch, which answer in its place. One with a priority only looks on. */
export function findBatchRoutes(plan: CompiledPlan): Problem[] {
  const batches = listBatches(plan).filter(({ rival }) => rival === undefined);
  return plan.draft.registered.flatMap(({ event, priority, place }): Problem[] => {
    const path = ROUTE.exec(event)?.[1];
    // A wildcard is for what looks on, too, as the guard of all calls does.
    if (path === undefined || path.includes('*') || priority !== 0) return [];
    const batch = batches.find((known) => compilePattern(path).matches(known.path));
    if (batch === undefined) return [];
    const [, file = 'app', line] = /^(.*):(\d+)$/.exec(place ?? '') ?? [];
    return [
      {
        code: 'REST_BATCH_PATH',
        file,
        path: '',
        ...(line === undefined ? {} : { line: Number(line) }),
        message: `${event} answers before the batch of ${batch.access} calls.`,
        hint: 'Choose another path, or leave it if nobody needs the batch.',
        severity: 'advice',
      },
    ];
  });
}
