declare const MANAGERS: readonly ['npm', 'pnpm', 'yarn', 'bun'];
export type Manager = (typeof MANAGERS)[number];
/** The package manager that runs this process, from `npm_config_user_agent`; otherwise npm. */
export declare function findManager(userAgent: string | undefined): Manager;
export interface RunOptions {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    /** True to show its output, on standard error. */
    readonly isShown: boolean;
}
/** Runs a program; returns its exit code, 127 if it does not exist, 130 after Ctrl-C. */
export declare function runProgram(program: string, words: readonly string[], options: RunOptions): Promise<number>;
export {};
