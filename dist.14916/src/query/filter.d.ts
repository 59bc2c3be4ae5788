import { type ActiveWanted, type Draft } from './draft.ts';
type Input = Readonly<Record<string, unknown>>;
/** Adds the search's conditions to the draft. Gives which rows (active, removed, both) it asks for. */
export declare function parseFilters(input: Input, draft: Draft): ActiveWanted;
export {};
