import { toDidYouMean } from '../../core/suggest.ts';
import { toPlural } from '../../model/names.ts';
import { RELATION_KINDS, type Relation, type RelationKind } from '../../model/shape.ts';
import { createUsageError } from '../failure.ts';

export function parseRelationKind(kind: string): RelationKind {
  const found = RELATION_KINDS.find((each) => each.toLowerCase() === kind.toLowerCase());
  if (found) return found;
  throw createUsageError(`"${kind}" is no kind of relation.`, toDidYouMean(kind, RELATION_KINDS));
}

/** `schema=kind` as a relation. */
export function parseRelation(text: string): Relation {
  const [schema = '', kind = '', ...rest] = text.split('=');
  if (schema === '' || kind === '' || rest.length > 0) {
    throw createUsageError(`The relation "${text}" is not schema=kind.`, 'Such as profile=1:1');
  }
  return { schema, kind: parseRelationKind(kind) };
}

const withArticle = (word: string): string => `${/^[aeiou]/i.test(word) ? 'an' : 'a'} ${word}`;

/** How a relation reads: "an article has many comments". */
export function toSentence(source: string, relation: Relation): string {
  const one = source.toLowerCase();
  const other = (relation.name ?? relation.schema).toLowerCase();
  const sentences: Readonly<Record<RelationKind, string>> = {
    '1:1': `${withArticle(one)} has exactly one ${other}`,
    '1:0': `${withArticle(one)} has at most one ${other}`,
    '1:N': `${withArticle(one)} has many ${toPlural(other)}`,
    'N:N': `${withArticle(one)} has many ${toPlural(other)}, and ${withArticle(other)} many ${toPlural(one)}`,
  };
  return sentences[relation.kind];
}
