import type { DefinitionKind } from '../../model/shape.ts';
import { type CommandSpec } from '../spec.ts';
/** `treadle <noun> show <name>`. */
export declare function toCommand(kind: DefinitionKind): CommandSpec;
