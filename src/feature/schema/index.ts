import type { Feature } from '../../plan/feature.ts';
import { contribute } from './plan.ts';

/** Rows of the project's schemas: search, detail, create, update, remove, restore, import, and links. */
export const schema: Feature = { name: 'schema', contribute };
