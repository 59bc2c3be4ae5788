import type { Problem } from '../core/errors.ts';
import type { CompiledPlan } from './compile.ts';
import type { Plan } from './feature.ts';
/** A name in the project's code, as `project/` finds it. */
interface CodeName {
    readonly use: 'emit' | 'reroute' | 'schema';
    readonly name: string;
    readonly file: string;
    readonly line: number;
    readonly column: number;
}
/** The event that a name near it most likely meant, among those that something hears or reports. */
export declare function findNearEvent(event: string, plan: Plan): string | undefined;
/** Warnings on names in the project's code that nothing hears, answers or defines. */
export declare function findCodeMistakes(plan: CompiledPlan, names: readonly CodeName[]): Problem[];
export {};
