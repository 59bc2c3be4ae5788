import { toDidYouMean } from '../../core/text/suggest.ts';
import { withArticle } from '../../model/names.ts';
import { toKindHint } from '../../model/relation-kind-name.ts';
import {
  describeRule,
  findRemoveRule,
  listRemoveRules,
  REMOVE_RULE_NAMES,
  toReverseSentence,
  toSentence,
  USUAL_RULE,
} from '../../model/relation-sentence.ts';
import { toRelationName } from '../../model/removal/target.ts';
import { RELATION_KINDS, type Relation, type RelationKind } from '../../model/shape.ts';
import { createUsageError } from '../failure.ts';
import type { Choice, Prompt } from '../prompt.ts';
import { findRelationNameError } from './name.ts';

export function parseRelationKind(kind: string): RelationKind {
  const found = RELATION_KINDS.find((each) => each.toLowerCase() === kind.toLowerCase());
  if (found) return found;
  throw createUsageError(`"${kind}" is not a kind of relation.`, toKindHint(kind));
}

/** Parses `schema=kind[,name[,rule]]`. */
export function parseRelation(text: string): Relation {
  const [schema = '', said = '', ...rest] = text.split('=');
  const [kind = '', name = '', rule = '', ...more] = said.split(',');
  if (schema === '' || kind === '' || rest.length > 0 || more.length > 0) {
    throw createUsageError(
      `The relation "${text}" is not schema=kind[,name[,rule]].`,
      'Examples: profile=1:1 or profile=1:0,editor,clear',
    );
  }
  const onRemove = findRemoveRule(rule);
  if (rule !== '' && onRemove === undefined) {
    throw createUsageError(`"${rule}" is not a rule for removal.`, toDidYouMean(rule, REMOVE_RULE_NAMES));
  }
  return {
    schema,
    kind: parseRelationKind(kind),
    ...(name === '' ? {} : { name }),
    ...(onRemove === undefined ? {} : { onRemove }),
  };
}

/** A relation as the value of its flag. */
export const toRelationText = ({ schema, kind, name, onRemove }: Relation): string =>
  `${schema}=${[kind, name ?? '', onRemove ?? ''].join(',').replace(/,+$/, '')}`;

export interface RelationQuestion {
  readonly prompt: Prompt;
  /** Name and label of the declaring schema. */
  readonly source: { readonly name: string; readonly singular: string };
  /** Names of the project's schemas. */
  readonly schemas: readonly string[];
  readonly relations: readonly Relation[];
}

const NO_MORE = '';

/** Asks for relations until the user stops. */
export async function askRelations(question: RelationQuestion): Promise<Relation[]> {
  const found: Relation[] = [];
  const { prompt, source, schemas } = question;
  for (;;) {
    const targets = [...new Set([...schemas, source.name])].map((name): Choice => {
      return name === source.name ? { value: name, name: `${name} (itself)` } : { value: name };
    });
    const message = `Does ${withArticle(source.singular.toLowerCase())} have a relation to ${found.length === 0 ? 'another schema' : 'one more schema'}?`;
    const schema = await prompt.choice(message, [
      { value: NO_MORE, name: found.length === 0 ? 'No' : 'No more' },
      ...targets,
    ]);
    if (schema === NO_MORE) return found;
    found.push(await askRelation(schema, { ...question, relations: [...question.relations, ...found] }));
  }
}

/** Asks for the kind of a relation to a schema, in words. */
function askKind(schema: string, { prompt, source }: RelationQuestion): Promise<string> {
  return prompt.choice(
    'How many?',
    RELATION_KINDS.map((kind): Choice => {
      const relation: Relation = { schema, kind };
      const back = toReverseSentence(source.singular, schema, relation);
      return { value: kind, name: `${kind}  ${toSentence(source.singular, relation)}`, description: back };
    }),
  );
}

/** Asks for kind, name and removal rule. */
export async function askRelation(schema: string, question: RelationQuestion): Promise<Relation> {
  const { prompt } = question;
  const kind = parseRelationKind(await askKind(schema, question));
  const name = await askOwnName(schema, question);
  const rule = await prompt.choice(
    `When ${kind === 'N:N' ? 'either row' : 'the related row'} is removed:`,
    listRemoveRules(kind).map((each) => {
      return { value: each, name: `${describeRule(each)}${each === USUAL_RULE[kind] ? ' (default)' : ''}` };
    }),
    USUAL_RULE[kind],
  );
  const found = findRemoveRule(rule);
  const onRemove = found === USUAL_RULE[kind] ? undefined : found;
  return { schema, kind, ...(name === '' ? {} : { name }), ...(onRemove === undefined ? {} : { onRemove }) };
}

/** Asks only if the default name is taken, or is the schema's own. */
function askOwnName(schema: string, { prompt, source, relations }: RelationQuestion): Promise<string> {
  const taken = new Set(relations.map(toRelationName));
  if (schema !== source.name && !taken.has(schema)) return Promise.resolve('');
  return prompt.text(`Name of the relation, such as ${schema === source.name ? 'parent' : 'editor'}:`, {
    check: (text) => findRelationNameError(text) ?? (taken.has(text) ? 'That relation already exists.' : undefined),
  });
}
