import type { Feature } from '../../plan/feature.ts';
import { contribute } from './plan.ts';

/** Developer docs, made from the plan: pages, OpenAPI, static files. */
export const docs: Feature = { name: 'docs', contribute };
