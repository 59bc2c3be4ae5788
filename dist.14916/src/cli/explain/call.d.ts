import type { CompiledPlan } from '../../plan/compile.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { type Found, type Heard } from './find.ts';
interface ScopeFacts {
    readonly slug: string;
    readonly file: string;
    readonly needsApproval: boolean;
}
/** The facts that decide a request to a call, from the definitions. */
export interface CallFacts {
    readonly name: string;
    readonly title: string;
    readonly file: string;
    readonly isHandwritten: boolean;
    readonly access: 'public' | 'app' | 'user';
    readonly path: string;
    readonly event: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly variables: readonly string[];
    readonly fixed: Readonly<Record<string, unknown>>;
    readonly credential: string;
    /** True if the request changes data, so that an app needs its secret. */
    readonly isWrite: boolean;
    /** Scopes with the call's kind of access that list it. */
    readonly scopes: readonly ScopeFacts[];
    readonly rows: string;
    readonly limit: string;
    /** True if a change must name the row's version in `If-Match`. */
    readonly needsVersion: boolean;
    readonly listeners: readonly Heard[];
    readonly hooks: readonly HookFacts[];
}
interface HookFacts {
    readonly name: string;
    readonly type: string;
    readonly file: string;
    readonly needsApproval: boolean;
}
export declare function toCallFacts(plan: CompiledPlan, call: CallPlan, found: Found): CallFacts;
export {};
