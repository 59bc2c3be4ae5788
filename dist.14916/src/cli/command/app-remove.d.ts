import { type CommandSpec } from '../spec.ts';
/** `treadle app remove`: removes an app's file, or by its client id the row of an app registered in the browser. */
export declare const command: CommandSpec;
