import type { DefinitionKind } from '../../model/shape.ts';
import { type CommandSpec } from '../spec.ts';
/** `treadle <noun> update <name>`. */
export declare function toCommand(kind: DefinitionKind): CommandSpec;
