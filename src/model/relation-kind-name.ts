import { toDidYouMean } from '../core/text/suggest.ts';
import { RELATION_KINDS, type RelationKind } from './shape/schema.ts';

/** What other systems call a kind of relation, in small letters without blanks and signs. */
const OTHER_NAMES: Readonly<Record<string, RelationKind>> = {
  onetoone: '1:1',
  hasone: '1:0',
  belongsto: '1:1',
  manytoone: '1:1',
  n1: '1:1',
  m1: '1:1',
  '01': '1:0',
  optional: '1:0',
  onetomany: '1:N',
  hasmany: '1:N',
  '1m': '1:N',
  '1n': '1:N',
  '1many': '1:N',
  manytomany: 'N:N',
  belongstomany: 'N:N',
  nn: 'N:N',
  nm: 'N:N',
  mn: 'N:N',
  mm: 'N:N',
};

/** Hint for an unknown kind of relation: the one that other systems call so, or one of similar letters. */
export function toKindHint(kind: string): string {
  const plain = kind.toLowerCase().replace(/[^a-z0-9]/g, '');
  const found = Object.hasOwn(OTHER_NAMES, plain) ? OTHER_NAMES[plain] : undefined;
  return found === undefined ? toDidYouMean(kind, RELATION_KINDS) : `Did you mean "${found}"?`;
}
