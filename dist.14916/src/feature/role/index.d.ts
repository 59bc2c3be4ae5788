import type { Feature } from '../../plan/feature.ts';
/** Roles: who opens which path. */
export declare const role: Feature;
