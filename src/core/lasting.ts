import { readScope, scopeStore } from './scope-store.ts';

/** Until when what is being made stays true, in milliseconds since 1970: a relative time changes by itself. */
export interface Validity {
  until: number;
}

/** Says until when a text stays true that was just made, in milliseconds since 1970. */
export function noteEnd(until: number): void {
  const lasting = readScope<{ readonly lasting?: Validity }>()?.lasting;
  if (lasting !== undefined && until < lasting.until) lasting.until = until;
}

/** Runs work and gives until when all of what it has made so far stays true; infinite if no time is in it. */
export function recordEnd<T>(work: () => T): { readonly value: T; readonly lasting: Validity } {
  const lasting: Validity = { until: Number.POSITIVE_INFINITY };
  return { value: scopeStore.run({ ...scopeStore.getStore(), lasting }, work), lasting };
}
