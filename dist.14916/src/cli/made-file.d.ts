import { type Invocation, type OptionSpec, type Outcome } from './spec.ts';
export declare const CHECK: OptionSpec;
interface MadeFile {
    /** Absolute path, and path for display. */
    readonly file: string;
    readonly name: string;
    readonly text: string;
    /** The command line that generates it. */
    readonly by: string;
    /** Its content, for `--json`. */
    readonly data: object;
}
/** Writes a file generated from the definitions; with `--check` only reports whether it is up to date. */
export declare function writeMadeFile(invocation: Invocation, made: MadeFile): Promise<Outcome>;
export {};
