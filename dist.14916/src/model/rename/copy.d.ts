import type { Definitions } from '../definitions.ts';
import { type DefinitionKind, type DefinitionOf } from '../shape.ts';
/**
 * A definition under another name. The caller must change what has to differ (an app's client id, a call's
 * path).
 */
export declare function copyDefinition<K extends DefinitionKind>(definitions: Definitions, kind: K, from: string, to: string): DefinitionOf[K];
