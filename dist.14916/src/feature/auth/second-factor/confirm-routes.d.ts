import type { RouteContribution } from '../../../plan/feature.ts';
export declare const confirmRoutes: readonly RouteContribution[];
