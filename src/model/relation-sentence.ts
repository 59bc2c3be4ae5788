import { translate } from '../core/text/translate.ts';
import { toPlural, withArticle } from './names.ts';
import type { Relation, RelationKind } from './shape.ts';

const REMOVE_RULES = ['restrict', 'cascade', 'clear'] as const;
export type RemoveRule = (typeof REMOVE_RULES)[number];

/** The relation in words: "an article has many comments". */
export function toSentence(source: string, relation: Relation): string {
  const one = source.toLowerCase();
  const isNamed = relation.name !== undefined;
  const isList = relation.kind === '1:N' || relation.kind === 'N:N';
  // A name such as "editor" is one row; that of a list may be no noun at all, such as "seen".
  const other = (isList ? relation.schema : (relation.name ?? relation.schema)).toLowerCase();
  const words = {
    source: withArticle(one),
    target: other,
    targets: toPlural(other),
    sources: toPlural(one),
    one: withArticle(other),
    name: relation.name,
  };
  switch (relation.kind) {
    case '1:1':
      return translate('{source} has exactly one {target}', words);
    case '1:0':
      return translate('{source} has at most one {target}', words);
    case '1:N':
      return isNamed
        ? translate('{source} has many {targets}, as {name}', words)
        : translate('{source} has many {targets}', words);
    case 'N:N':
      return isNamed
        ? translate('{source} has many {targets}, and {one} many {sources}, as {name}', words)
        : translate('{source} has many {targets}, and {one} many {sources}', words);
  }
}

/** The relation from the other end, in words: "a comment belongs to at most one article". */
export function toReverseSentence(source: string, target: string, relation: Relation): string {
  const [one, other] = [source.toLowerCase(), target.toLowerCase()];
  const words = { target: withArticle(other), source: one, sources: toPlural(one), name: relation.name };
  const isNamed = relation.name !== undefined;
  if (relation.kind === '1:N') {
    return isNamed
      ? translate('{target} belongs to at most one {source}, as {name}', words)
      : translate('{target} belongs to at most one {source}', words);
  }
  if (relation.kind === 'N:N') {
    return isNamed
      ? translate('{target} has many {sources}, as {name}', words)
      : translate('{target} has many {sources}', words);
  }
  return isNamed
    ? translate('{target} may have many {sources}, as {name}', words)
    : translate('{target} may have many {sources}', words);
}

/** Default rules. */
export const USUAL_RULE: Readonly<Record<RelationKind, RemoveRule>> = {
  '1:1': 'restrict',
  '1:0': 'clear',
  '1:N': 'clear',
  'N:N': 'cascade',
};

/** What a rule does when the related row is removed. */
export function describeRule(rule: RemoveRule): string {
  if (rule === 'restrict') return translate('refuse the removal while rows refer to it');
  if (rule === 'cascade') return translate('remove the rows that refer to it too');
  return translate('clear the link and keep the rows that referred to it');
}

/** The rules that a kind may have. */
export const listRemoveRules = (kind: RelationKind): RemoveRule[] =>
  REMOVE_RULES.filter((rule) => (kind === '1:1' || kind === 'N:N' ? rule !== 'clear' : true));

/** The rule of that name; undefined for none. */
export const findRemoveRule = (text: string): RemoveRule | undefined => REMOVE_RULES.find((each) => each === text);

/** The names of all rules. */
export const REMOVE_RULE_NAMES: readonly string[] = REMOVE_RULES;
