import type { HookModel } from '../../model/model.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { type DocPage } from './page.ts';
import type { Source } from './source.ts';
export declare function toHookList(hooks: readonly HookModel[], source: Source): DocPage;
export declare function toHookPage(hook: HookModel, source: Source, calls: readonly CallPlan[]): DocPage;
