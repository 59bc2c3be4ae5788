import type { HookModel, Model } from '../../model/model.ts';
/** Data that an event of a hook could have, made from its schema; `{"test":true}` for a hook of no schema. */
export declare function toSampleData(hook: HookModel, model: Model, now: number): Record<string, unknown>;
