import { type CommandSpec } from '../spec.ts';
/** What has fields. */
type Kind = 'schema' | 'fieldset';
/** `treadle schema create <name>` and `treadle fieldset create <name>`. */
export declare function toCommand(kind: Kind): CommandSpec;
export {};
