import type { RouteContribution } from '../../plan/feature.ts';
/** The pages of the docs, their search index, and the OpenAPI document. */
export declare const routes: readonly RouteContribution[];
