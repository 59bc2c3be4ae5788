import type { Contribution, Facts } from '../../plan/feature.ts';
import { checkRules } from './check-rules.ts';
import { findClosedCalls } from './closed-calls.ts';
import { createRoleGate } from './gate.ts';

export const contribute = ({ model, calls }: Facts): Contribution => ({
  gates: [() => createRoleGate(model)],
  problems: [...checkRules(model), ...findClosedCalls(model, calls)],
});
