import type { Context } from '../../plan/feature.ts';

/** A scope for the person who decides: its words, and the calls that it opens. */
export interface Permission {
  readonly slug: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Whether whoever runs the site gives it to few apps only. */
  readonly isApproved: boolean;
  readonly calls: readonly { readonly title: string; readonly method: string; readonly path: string }[];
}

/** A scope in words. One that is no longer defined keeps its slug as its name, and opens nothing. */
export function toPermission({ plan }: Context, slug: string): Permission {
  const definition = plan.model.scopes.get(slug)?.definition;
  const calls = plan.calls.filter((call) => call.definition.access === 'user' && call.scopes.includes(slug));
  return {
    slug,
    name: definition?.name ?? slug,
    description: definition?.description,
    isApproved: definition?.approval === true,
    calls: calls.map(({ definition: { title, method }, path }) => ({ title, method: method.toUpperCase(), path })),
  };
}
