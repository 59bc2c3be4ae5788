import { type Prompt } from './prompt.ts';
import { type In, type Out } from './terminal.ts';
/** Replacements for the process's streams and functions, for tests. */
export interface MainOptions {
    readonly stdout?: Out;
    readonly stderr?: Out;
    readonly stdin?: In;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly cwd?: string;
    /** Used instead of inquirer. */
    readonly prompt?: Prompt;
    /** Stops `dev` and `start`, as SIGTERM does. */
    readonly signal?: AbortSignal;
    /** Ends the process at once. Default: `process.exit`. */
    readonly exit?: (code: number) => void;
    /** True if the command is the whole process: errors that nothing awaits are printed in one line. Default false. */
    readonly ownsProcess?: boolean;
}
/** Runs one command line (without node and the script) and returns the exit code; never ends the process. */
export declare function main(argv: readonly string[], options?: MainOptions): Promise<number>;
