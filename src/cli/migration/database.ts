import { ProblemsError } from '../../core/errors.ts';
import type { Database } from '../../database/database.ts';
import type { Table } from '../../database/table.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import { compilePlan } from '../application.ts';
import type { Invocation } from '../spec.ts';

/** The tables that the definitions need. */
export async function listDesired(plan: CompiledPlan, { dialect }: Database): Promise<Table[]> {
  const { createTables: toTables } = await import('../../database/table.ts');
  return toTables(plan.model, plan.tables, { dialect });
}

/** The plan of the definitions; undefined if a definition is invalid. */
export async function findPlan(invocation: Invocation): Promise<CompiledPlan | undefined> {
  try {
    return await compilePlan(invocation);
  } catch (error) {
    if (error instanceof ProblemsError) return undefined;
    throw error;
  }
}
