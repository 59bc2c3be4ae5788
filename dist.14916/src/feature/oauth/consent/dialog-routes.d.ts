import type { Request } from '../../../core/request.ts';
import type { RouteContribution } from '../../../plan/feature.ts';
import { type Decider } from './consent.ts';
/** The logged-in user; undefined for a visitor. */
export declare function findDecider(request: Request): Decider | undefined;
export declare const dialogRoutes: readonly RouteContribution[];
