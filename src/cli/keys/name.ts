import type { DefinitionKind } from '../../model/shape.ts';

/** Kinds whose `name` is a label, so that what they are called by is another word. */
export const toNameArgument = (kind: DefinitionKind): 'name' | 'slug' =>
  kind === 'scope' || kind === 'role' ? 'slug' : 'name';
