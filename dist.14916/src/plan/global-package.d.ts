import type { GlobalPackage } from './app.ts';
import type { Draft } from './draft.ts';
/** The package named `global`: methods for the current request of any controller. */
export declare function createGlobalPackage(draft: Draft): GlobalPackage;
