import type { UniqueModel } from '../model.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';
/** The rules of a schema that several columns together are unique. */
export declare function toUnique(draft: SchemaDraft): readonly UniqueModel[];
/** Reports columns of `unique` that do not exist or cannot be in an index, and rules that are there twice. */
export declare function checkUnique(draft: SchemaDraft, report: Report): void;
