import { type Definitions, getSources } from '../definitions.ts';
import { parseJsonText, printPath } from '../json/json-text.ts';
import { toColumn, toTable } from '../names.ts';
import type { Source } from '../parse.ts';
import { listMentions, type Mention, toGroup } from '../rename/mention.ts';
import { DEFINITION_KINDS, type DefinitionKind, type DefinitionOf, type FileKind } from '../shape.ts';
import { findLost, type LostNames, type Target, takeAway, toRelationName } from './target.ts';

/** A place in a definition that refers to the removed target. */
export interface Reference {
  readonly kind: FileKind;
  /** The definition's name. */
  readonly name: string;
  readonly file: string;
  readonly path: readonly (string | number)[];
  readonly line: number;
  readonly mention: Mention;
}

const SUBJECTS: Readonly<Partial<Record<Target['kind'], Mention['subject']>>> = {
  schema: 'schema',
  fieldset: 'fieldset',
  rest: 'call',
  scope: 'scope',
  webhook: 'hook',
};

const ADMIN = '/admin/system/model/';
/** Parts with free text: what they mention is not a reference. */
const WORDS: ReadonlySet<string> = new Set(['description', 'attributes']);

/** True if a mention refers to the target. */
export type Means = (mention: Mention) => boolean;

export function createMeans(target: Target, lost: LostNames): Means {
  const subject = SUBJECTS[target.kind];
  return (mention) => {
    const { subject: own, name, schemas, path, isExpression } = mention;
    if (path[0] !== 'indexes' && path.some((key) => WORDS.has(String(key)))) return false;
    if (own === subject) return name === target.name;
    if (own === 'path') {
      const page = ADMIN + target.name;
      return target.kind === 'schema' && (name === page || name.startsWith(`${page}/`));
    }
    if (target.kind === 'field' && own === 'field') return isFieldOf(target, mention);
    const isOwnWord = target.kind === 'field' && target.owner === 'fieldset' && schemas.includes(toGroup(target.of));
    if (isOwnWord) return isExpression && name === target.name;
    if (own !== 'word' && own !== 'relation' && own !== 'field') return false;
    // References to the schema itself are reported once, by its name.
    if (target.kind === 'schema' && schemas.includes(target.name)) return false;
    return schemas.some((schema) => lost.get(schema)?.has(name) === true);
  };
}

function isFieldOf(target: Target & { readonly kind: 'field' }, { name, schemas }: Mention): boolean {
  const group = target.owner === 'schema' ? target.of : toGroup(target.of);
  if (!schemas.includes(group)) return false;
  return name === target.name || (target.owner === 'schema' && toTable(name) === toColumn(target.of, target.name));
}

/** Every place that refers to the target, without its own file if that is removed completely. */
export function findReferences(definitions: Definitions, target: Target): Reference[] {
  const after = takeAway(definitions, target);
  const means = createMeans(target, findLost(definitions, after));
  const readFile = <K extends FileKind>(kind: K, name: string, source: Source<DefinitionOf[K]>): Reference[] => {
    const { file, text, value } = source;
    const mentions = listMentions(kind, value).filter(means);
    if (mentions.length === 0) return [];
    const own = toOwnPath(definitions, target, kind, name);
    const { findPlace } = parseJsonText(text);
    return mentions.map((mention) => {
      const path = own === undefined ? mention.path : restore(mention.path, own);
      return { kind, name, file, path, line: findPlace(path).line, mention };
    });
  };
  const readKind = <K extends DefinitionKind>(kind: K): Reference[] =>
    [...getSources(after, kind)].flatMap(([name, source]) => readFile(kind, name, source));
  return [...DEFINITION_KINDS.flatMap(readKind), ...readFile('settings', 'settings', after.settings)];
}

/** Path of a field or relation in its own file: paths of later entries have shifted. */
function toOwnPath(
  definitions: Definitions,
  target: Target,
  kind: FileKind,
  name: string,
): readonly [string, number] | undefined {
  if (target.kind === 'field' && target.owner === kind && target.of === name) {
    const fields = definitions[target.owner].get(name)?.value.fields ?? [];
    return ['fields', fields.findIndex((field) => field.name === target.name)];
  }
  if (target.kind !== 'relation' || kind !== 'schema' || target.of !== name) return undefined;
  const relations = definitions.schema.get(name)?.value.relations ?? [];
  return ['relations', relations.findIndex((relation) => toRelationName(relation) === target.name)];
}

const restore = (path: Mention['path'], [list, index]: readonly [string, number]): Mention['path'] =>
  path[0] === list && typeof path[1] === 'number' && path[1] >= index ? [list, path[1] + 1, ...path.slice(2)] : path;

/** A reference as text: `config/rest/x.json:8 parameters.schema`. */
export const printReference = ({ file, line, path, mention }: Reference): string =>
  `${file}:${line} ${printPath(path)} names ${mention.name}`;
