import type { HookModel, Model } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
/** The headers of every delivery. @see Standard Webhooks 1.0.0 */
export declare const HOOK_HEADERS: readonly HookHeader[];
/** The example body. */
export declare const toSamplePayload: (hook: HookModel, model: Model, baseUrl?: string) => Json;
export interface HookHeader {
    readonly name: string;
    readonly description: string;
    readonly sample: string;
}
/** The headers of a hook's deliveries: first those of its format, if any. */
export declare function listHookHeaders(hook: HookModel, model: Model, baseUrl: string): readonly HookHeader[];
