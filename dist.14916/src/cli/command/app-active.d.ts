import { type CommandSpec } from '../spec.ts';
interface Turn {
    readonly event: 'app-suspend' | 'app-restore';
    readonly verb: 'suspend' | 'resume';
    readonly done: string;
}
/** The command that suspends or resumes an app registered in the browser. */
export declare const toCommand: ({ event, verb, done }: Turn) => CommandSpec;
export declare const suspend: CommandSpec;
export declare const resume: CommandSpec;
export {};
