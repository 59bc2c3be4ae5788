import type { Json } from '../../model/json/value-schema.ts';
import type { Feature, Plan } from '../../plan/feature.ts';
import { buildOpenApi } from './openapi/document.ts';
import { contribute } from './plan.ts';

/** Developer docs, generated from the plan: pages, OpenAPI, static files. */
export const docs: Feature = { name: 'docs', contribute };

/** The API as an OpenAPI document at an address. A function of its own, so that only its first call reads the generator. */
export const toApiJson = (plan: Plan, baseUrl: string): Json => buildOpenApi(plan, baseUrl);
