import type { RouteContribution } from '../../../plan/feature.ts';
export declare const metadataRoutes: readonly RouteContribution[];
