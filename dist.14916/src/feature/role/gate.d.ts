import type { Model } from '../../model/model.ts';
import type { PathGate } from '../../plan/feature.ts';
/** Guards the paths that roles name: before static files, and before every listener. */
export declare function createRoleGate(model: Model): PathGate;
