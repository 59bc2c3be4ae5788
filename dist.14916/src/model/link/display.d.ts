import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';
/** Advice on a row's label that uses unknown names; they would be empty. */
export declare function checkDisplay(draft: SchemaDraft, drafts: ReadonlyMap<string, SchemaDraft>, report: Report): void;
