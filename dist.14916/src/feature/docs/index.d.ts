import type { Feature } from '../../plan/feature.ts';
/** Developer docs, generated from the plan: pages, OpenAPI, static files. */
export declare const docs: Feature;
