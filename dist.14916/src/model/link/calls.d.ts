import { type Definitions } from '../definitions.ts';
import type { CallModel, ScopeModel } from '../model.ts';
import type { Source } from '../parse.ts';
import type { Hook, Rest } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';
type Drafts = ReadonlyMap<string, SchemaDraft>;
/** The schema that `parameters.schema` names. Reports a schema that does not exist. */
export declare function findSchema(source: Source<Rest | Hook>, definitions: Definitions, report: Report): string | undefined;
export declare function linkCalls(definitions: Definitions, drafts: Drafts, report: Report): Map<string, CallModel>;
interface ScopeLinking {
    readonly definitions: Definitions;
    readonly report: Report;
    /**
     * Receives faults about calls without a file, which the project's code may define; or `report`, to report
     * at once.
     */
    readonly open: Report;
}
/** Links the scopes; `unknown` are the names of the calls reported to `open`, in that order. */
export declare function linkScopes(linking: ScopeLinking): {
    readonly scopes: Map<string, ScopeModel>;
    readonly unknown: readonly string[];
};
export {};
