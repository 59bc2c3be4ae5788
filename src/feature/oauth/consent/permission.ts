import type { Context } from '../../../plan/feature.ts';

/** A scope as shown in the dialog: its description, and the calls it allows. */
export interface Permission {
  readonly slug: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Whether it needs approval by the site's operator. */
  readonly isApproved: boolean;
  readonly calls: readonly { readonly title: string; readonly method: string; readonly path: string }[];
}

/** Describes a scope. An undefined one keeps its slug as name and allows nothing. */
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
