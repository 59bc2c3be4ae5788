import type { DefinitionKind } from '../../model/shape.ts';
import { type CommandSpec } from '../spec.ts';
/** `treadle <noun> remove <name>`. Removes only files: rows stay until a migration with --allow-loss. */
export declare function toCommand(kind: DefinitionKind): CommandSpec;
