import type { FoundGate, PathGate } from './feature.ts';
/**
 * All spellings of a path that open the same page or static file: as sent, decoded, and without the `.html`
 * or `/index.html` that a static file's name may have.
 */
export declare function listSpellings(path: string): string[];
/** Finds the gates of a path. A path is guarded if any of its spellings is. */
export declare function createGateFinder(gates: readonly PathGate[]): (path: string) => FoundGate | undefined;
