import { type Definitions } from '../definitions.ts';
import type { AppModel, HookModel } from '../model.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';
type Drafts = ReadonlyMap<string, SchemaDraft>;
export declare function linkHooks(definitions: Definitions, drafts: Drafts, report: Report): Map<string, HookModel>;
interface AppLinking {
    readonly definitions: Definitions;
    readonly report: Report;
    /** Receives faults about hooks without a file: the project's code may define them. */
    readonly open: Report;
}
/** Links the apps; `unknown` are the names of the hooks reported to `open`, in that order. */
export declare function linkApps(linking: AppLinking): {
    readonly apps: Map<string, AppModel>;
    readonly unknown: readonly string[];
};
export {};
