import type { Database } from '../../database/database.ts';
import type { Table } from '../../database/table.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { Invocation } from '../spec.ts';
/** The tables that the definitions need. */
export declare function listDesired(plan: CompiledPlan, { dialect }: Database): Promise<Table[]>;
/** The plan of the definitions; undefined if a definition is invalid. */
export declare function findPlan(invocation: Invocation): Promise<CompiledPlan | undefined>;
