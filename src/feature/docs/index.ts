import type { Feature } from '../../plan/feature.ts';
import { contribute } from './plan.ts';

/** Developer docs, generated from the plan: pages, OpenAPI, static files. */
export const docs: Feature = { name: 'docs', contribute };
