import { TreadleError } from '../core/errors.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import type { Definitions } from '../model/definitions.ts';
import { toTable } from '../model/names.ts';
import { toRelationName } from '../model/removal/target.ts';
import type { Field, Fieldset, Relation, RelationKind, Schema } from '../model/shape.ts';
import { getDefinition } from './change/definition.ts';
import { createUsageError } from './failure.ts';

/** Something with fields: a schema, or a fieldset. */
export type Owner = { readonly name: string; readonly words: string } & (
  | { readonly kind: 'schema'; readonly value: Schema }
  | { readonly kind: 'fieldset'; readonly value: Fieldset }
);

const toOwner = (definitions: Definitions, kind: 'schema' | 'fieldset', name: string): Owner =>
  kind === 'schema'
    ? { kind, name, words: `The schema "${name}"`, value: getDefinition(definitions, kind, name) }
    : { kind, name, words: `The fieldset "${name}"`, value: getDefinition(definitions, kind, name) };

/**
 * The schema or fieldset with a name; `schema/x` and `fieldset/x` are explicit.
 *
 * @throws CLI_USAGE if neither exists, or both.
 */
export function getOwner(definitions: Definitions, word: string): Owner {
  const [, kind, rest = ''] = /^(schema|fieldset)\/(.+)$/.exec(word) ?? [];
  if (kind === 'schema' || kind === 'fieldset') return toOwner(definitions, kind, rest);
  const isSchema = definitions.schema.has(word);
  const isGroup = definitions.fieldset.has(word);
  if (isSchema && isGroup) {
    throw createUsageError(`"${word}" is a schema and a fieldset.`, `Write schema/${word} or fieldset/${word}.`);
  }
  if (isGroup) return toOwner(definitions, 'fieldset', word);
  if (isSchema || definitions.broken.has(`schema/${word}`)) return toOwner(definitions, 'schema', word);
  const known = [...definitions.schema.keys(), ...[...definitions.fieldset.keys()].map((name) => `fieldset/${name}`)];
  throw createUsageError(`There is no schema "${word}".`, toDidYouMean(word, known));
}

/** A field of an owner. @throws CLI_USAGE with a "did you mean" for an unknown name. */
export function getField(owner: Owner, name: string): Field {
  const found = owner.value.fields.find((field) => field.name === name);
  if (found) return found;
  const known = owner.value.fields.map((field) => field.name);
  throw createUsageError(`${owner.words} has no field "${name}".`, toDidYouMean(name, known));
}

/** @throws CLI_FIELD_EXISTS if a field of the owner would have the same column. */
export function refuseField(owner: Owner, name: string): void {
  const twin = owner.value.fields.find((field) => toTable(field.name).toLowerCase() === toTable(name).toLowerCase());
  if (twin === undefined) return;
  throw new TreadleError('CLI_FIELD_EXISTS', `${owner.words} already has a field "${twin.name}".`, {
    status: 409,
    hint: `Change it: treadle field update ${toWord(owner)} ${twin.name}. Or remove it first: treadle field remove ${toWord(owner)} ${twin.name}`,
  });
}

/** A relation of a schema by its name, and by its kind if one is given. @throws CLI_USAGE if it is missing. */
export function getRelation(schema: Schema, name: string, kind?: RelationKind): Relation {
  const relations = schema.relations ?? [];
  const found = relations.find((each) => toRelationName(each) === name && (kind ?? each.kind) === each.kind);
  if (found) return found;
  const isOfKind = kind !== undefined;
  const known = relations.map((each) => `${isOfKind ? `${each.kind} ` : ''}${toRelationName(each)}`);
  const lead = isOfKind ? `${kind} ` : '';
  const message = `The schema "${schema.name}" has no relation ${lead}"${name}".`;
  throw createUsageError(message, toDidYouMean(`${lead}${name}`, known));
}

/** @throws CLI_RELATION_EXISTS if the schema has a relation of that name. */
export function refuseRelation({ name: schema, relations = [] }: Schema, name: string, hint: string): void {
  if (!relations.some((each) => toRelationName(each) === name)) return;
  const message = `The schema "${schema}" already has a relation "${name}".`;
  throw new TreadleError('CLI_RELATION_EXISTS', message, { status: 409, hint });
}

/** An owner as a command argument. */
const toWord = ({ kind, name }: Owner): string => (kind === 'schema' ? name : `fieldset/${name}`);
