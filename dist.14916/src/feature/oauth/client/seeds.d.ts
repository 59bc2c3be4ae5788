import type { Context } from '../../../plan/feature.ts';
/**
 * Creates or updates the rows of apps in definition files, and suspends apps with a removed file. Writes
 * only differences, so that an unchanged start needs no disk write.
 */
export declare function seedApps(context: Context): Promise<void>;
