import { createRoleGate } from '../../access/guard.ts';
import { findClosedCalls } from '../../check/closed-call.ts';
import type { Contribution, Facts } from '../../plan/feature.ts';
import { checkRules } from './check-rules.ts';

export const contribute = ({ model, calls }: Facts): Contribution => ({
  gates: [() => createRoleGate(model)],
  problems: [...checkRules(model), ...findClosedCalls(model, calls)],
});
