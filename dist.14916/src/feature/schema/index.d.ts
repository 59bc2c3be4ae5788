import type { Feature } from '../../plan/feature.ts';
/** Rows of the project's schemas: search, detail, create, update, remove, restore, import, and links. */
export declare const schema: Feature;
