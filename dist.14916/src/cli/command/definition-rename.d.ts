import type { DefinitionKind } from '../../model/shape.ts';
import { type CommandSpec } from '../spec.ts';
type Kind = Exclude<DefinitionKind, 'schema'>;
/** `treadle <noun> rename <name> <new>`. */
export declare function toCommand(kind: Kind): CommandSpec;
export {};
