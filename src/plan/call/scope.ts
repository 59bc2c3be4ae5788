import type { CallModel, Model } from '../../model/model.ts';

/** Slugs of the scopes that open a call: those that list it, of its own access. */
export const listCallScopes = ({ scopes, definition: { access } }: CallModel, model: Model): string[] =>
  scopes.filter((slug) => model.scopes.get(slug)?.definition.access === access);
