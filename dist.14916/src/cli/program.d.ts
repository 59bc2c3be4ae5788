import { type CatalogEntry } from './catalog.ts';
import type { CommandSpec, Values } from './spec.ts';
import type { Out } from './terminal.ts';
/** The parsed command line: the command and its values. */
export interface Parsed {
    readonly entry: CatalogEntry;
    readonly spec: CommandSpec;
    readonly values: Values;
    readonly global: GlobalValues;
}
interface GlobalValues {
    readonly cwd?: string;
    readonly json?: boolean;
    readonly yes?: boolean;
    readonly interactive?: boolean;
    readonly dryRun?: boolean;
}
/** The catalog's entry for the command line; undefined for an unknown command. */
export declare function findEntry(argv: readonly string[]): CatalogEntry | undefined;
export interface ProgramOutput {
    readonly out: Out;
    readonly err: Out;
}
/**
 * Parses a command line. Help and version are written to `out`.
 *
 * @throws CommanderError for help, version and wrong use; never ends the process.
 */
export declare function parseCommandLine(argv: readonly string[], output: ProgramOutput): Promise<Parsed | undefined>;
export {};
