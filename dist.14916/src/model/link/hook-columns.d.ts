import type { Source } from '../parse.ts';
import type { Hook } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';
type Drafts = ReadonlyMap<string, SchemaDraft>;
/** Reports unknown columns in a hook's `filter` and `fields`, and unknown operators. */
export declare function checkHookColumns(source: Source<Hook>, schema: string | undefined, drafts: Drafts, report: Report): void;
export {};
