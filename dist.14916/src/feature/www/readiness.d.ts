import { type HealthCheck } from '../../database/health.ts';
import type { Context } from '../../plan/feature.ts';
/** Returns the failed checks, within 1.5 s; `read` if the database does not answer. */
export declare function createReadiness(context: Context): () => Promise<readonly HealthCheck[]>;
