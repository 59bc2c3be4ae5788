import type { RouteContribution } from '../../../plan/feature.ts';
export declare const userinfoRoutes: readonly RouteContribution[];
