import { type CommandSpec } from '../spec.ts';
/** An app's definition, or by its client id one that was registered in the browser. */
export declare const command: CommandSpec;
