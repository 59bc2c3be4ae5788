import { type Definitions } from '../definitions.ts';
import type { Role } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';
type Drafts = ReadonlyMap<string, SchemaDraft>;
/** The roles by slug. */
export declare function linkRoles(definitions: Definitions, drafts: Drafts, report: Report): Map<string, Role>;
export {};
