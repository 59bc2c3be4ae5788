import type { ScopeModel } from '../../model/model.ts';
import type { CallPlan } from '../../plan/feature.ts';
import type { DocPage } from './page.ts';
import type { Source } from './source.ts';
export declare function toScopeList(scopes: readonly ScopeModel[]): DocPage;
export declare function toScopePage(scope: ScopeModel, source: Source, calls: readonly CallPlan[]): DocPage;
