import { type CommandSpec } from '../spec.ts';
/** Kinds that flags can define completely; a missing value is asked for by its flag. */
type Kind = 'rest' | 'scope' | 'webhook' | 'role';
/** `treadle <noun> create <name>`. */
export declare function toCommand(kind: Kind): CommandSpec;
export {};
