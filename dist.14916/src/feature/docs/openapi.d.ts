import type { Json } from '../../model/value-schema.ts';
import type { Plan } from '../../plan/feature.ts';
/**
 * The API as an OpenAPI 3.1 document, generated only from the plan: the same plan gives the same bytes.
 *
 * @param baseUrl Public URL without a trailing slash.
 * @see https://spec.openapis.org/oas/v3.1.2
 */
export declare function toOpenApi(plan: Plan, baseUrl: string): Json;
