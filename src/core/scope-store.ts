import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The store of the running code's scope. `scope.ts` says what it holds; modules that the scope itself holds values of read
 * their own part here.
 */
export const scopeStore = new AsyncLocalStorage<object | undefined>();

/** The scope of the running code, as one of its parts sees it; undefined outside of any. */
export const readScope = <Part extends object>(): Part | undefined => scopeStore.getStore() as Part | undefined;
