import type { Json } from '../../model/value-schema.ts';
import type { Plan } from '../../plan/feature.ts';
/**
 * Every hook, as the request that a receiver gets.
 *
 * @param baseUrl Public URL without a trailing slash: the source of CloudEvents.
 */
export declare function toWebhooks(plan: Plan, baseUrl: string): Json;
