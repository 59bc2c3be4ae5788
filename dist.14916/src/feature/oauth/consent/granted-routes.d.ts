import type { RouteContribution } from '../../../plan/feature.ts';
export declare const grantedRoutes: readonly RouteContribution[];
