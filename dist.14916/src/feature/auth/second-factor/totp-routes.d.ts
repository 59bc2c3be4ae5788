import type { RouteContribution } from '../../../plan/feature.ts';
export declare const totpRoutes: readonly RouteContribution[];
