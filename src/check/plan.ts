import type { Problem } from '../core/errors.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import { findBasePathProblems } from './base-path.ts';
import { findBatchRoutes } from './batch-route.ts';
import { type CodeName, findCodeMistakes } from './code-mistake.ts';
import { adviseIndexes } from './fixed-index.ts';
import { findFollowerProblems } from './follower.ts';
import { findHandwrittenCallProblems } from './handwritten-call.ts';
import { findIdleHooks } from './idle-hook.ts';
import { findMissingListeners } from './missing-listener.ts';
import { findParameterProblems } from './parameter.ts';
import { findParameterValueProblems } from './parameter-value.ts';
import { findSwallowed } from './swallowed-route.ts';
import { findUnmet } from './unmet-permission.ts';

/** What is wrong between the definitions and the code of a compiled plan. Pure: nothing is read. */
export const findPlanProblems = (plan: CompiledPlan): Problem[] => [
  ...findHandwrittenCallProblems(plan),
  ...findMissingListeners(plan),
  ...findIdleHooks(plan),
  ...findParameterProblems(plan),
  ...findParameterValueProblems(plan),
  ...findFollowerProblems(plan),
  ...findBasePathProblems(plan),
  ...adviseIndexes(plan),
];

/**
 * What is wrong in the names that the code uses, in routes that no request reaches, and in permissions that open nothing.
 * @param listFiles The files of `public/`, by their paths; called only if a permission meets no route.
 */
export const findCodeProblems = (
  plan: CompiledPlan,
  names: readonly CodeName[],
  listFiles: () => readonly string[],
): Problem[] => [
  ...findCodeMistakes(plan, names),
  ...findSwallowed(plan),
  ...findBatchRoutes(plan),
  ...findUnmet(plan, listFiles),
];
