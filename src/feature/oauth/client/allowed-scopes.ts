import type { Model } from '../../../model/model.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';

type Holder = Pick<ClientApp, 'name' | 'scopes' | 'approved'>;

/**
 * Whether an app may use a scope: it lists it and has any approval needed. What a definition file lists is
 * approved, because it was reviewed with the project.
 */
export function isScopeAllowed({ scopes }: Model, app: Holder, slug: string): boolean {
  const definition = scopes.get(slug)?.definition;
  if (!definition || !app.scopes.includes(slug)) return false;
  return definition.approval !== true || app.name !== undefined || app.approved.includes(slug);
}

/** The scopes of one kind that an app may use, in its own order. */
export function listAllowedScopes(model: Model, app: Holder, access: 'app' | 'user'): string[] {
  return app.scopes.filter(
    (slug) => model.scopes.get(slug)?.definition.access === access && isScopeAllowed(model, app, slug),
  );
}

/** Words of a `scope` parameter without duplicates. */
export const toSlugs = (text: string, separator = / +/): string[] => [
  ...new Set(text.split(separator).filter((slug) => slug !== '')),
];

/** Scopes that an app lists and that await approval. */
export const findPending = ({ plan: { model } }: Context, app: Holder): string[] =>
  app.scopes.filter((slug) => model.scopes.has(slug) && !isScopeAllowed(model, app, slug));
