import type { Problem, Severity } from '../../core/errors.ts';
import type { Source } from '../parse.ts';
interface Fault {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly severity?: Severity;
}
/** Collects problems with their file, path and line. */
export interface Report {
    readonly problems: Problem[];
    add(source: Source<unknown>, path: readonly (string | number)[], fault: Fault): void;
}
export declare function createReport(): Report;
export {};
