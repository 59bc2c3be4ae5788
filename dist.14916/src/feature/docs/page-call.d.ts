import type { CallPlan, Plan } from '../../plan/feature.ts';
import type { Links } from './links.ts';
import type { DocPage, PageData } from './page.ts';
import type { Source } from './source.ts';
/** The schemas of a call: its own, or both ends of a relation. */
export declare function listSubjects({ schema, definition }: CallPlan): string[];
/** All calls in the order of the docs: by schema, action and access. */
export declare function sortCalls(plan: Plan): CallPlan[];
/** A row of the table of calls. */
export declare function toCallRow(call: CallPlan, links: Links): PageData;
/** The list of all calls, grouped by schema. */
export declare function toCallList(calls: readonly CallPlan[], plan: Plan): DocPage;
/** The page of a call: its request in four languages, parameters, body, answers, console, and the hooks it fires. */
export declare function toCallPage(call: CallPlan, source: Source): DocPage;
