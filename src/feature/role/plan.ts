import type { Contribution, Facts } from '../../plan/feature.ts';
import { createRoleGate } from './gate.ts';

export const contribute = ({ model }: Facts): Contribution => ({
  gates: [() => createRoleGate(model)],
});
