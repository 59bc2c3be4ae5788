import type { DefinitionKind } from '../../model/shape.ts';
import { type CommandSpec } from '../spec.ts';
/** `treadle <noun> copy <name> <new>`; flags change the copy. */
export declare function toCommand(kind: DefinitionKind): CommandSpec;
