import type { Plan, Views } from '../../plan/feature.ts';
/**
 * The docs as static files: path to text. Links are relative, so they work from a disk and under any URL. The console
 * of a call's page uses `server.baseUrl` of the settings; without it there is no console. The same plan gives the
 * same bytes.
 */
export declare function renderDocs(plan: Plan, views: Views): Map<string, string>;
