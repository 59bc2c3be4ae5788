import { toLocalText } from '../../../core/translate.ts';
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

/** What the calls of a scope without a description do: "Search comments, get a comment." */
function toSentence([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  return `${[first, ...others.map((title) => title.charAt(0).toLowerCase() + title.slice(1))].join(', ')}.`;
}

/** Describes a scope. An undefined one keeps its slug as name and allows nothing. */
export function toPermission({ plan }: Context, slug: string): Permission {
  const definition = plan.model.scopes.get(slug)?.definition;
  const calls = plan.calls.filter((call) => call.definition.access === 'user' && call.scopes.includes(slug));
  const described = definition?.description ?? toSentence(calls.map((call) => toLocalText(call.definition.title)));
  return {
    slug,
    name: toLocalText(definition?.name ?? slug),
    description: described === undefined ? undefined : toLocalText(described),
    isApproved: definition?.approval === true,
    calls: calls.map(({ definition: { title, method }, path }) => ({
      title: toLocalText(title),
      method: method.toUpperCase(),
      path,
    })),
  };
}
