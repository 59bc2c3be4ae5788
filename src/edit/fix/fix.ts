import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fix, PatchOperation, Problem } from '../../core/errors.ts';
import { findOwn, isObject } from '../../core/record.ts';
import { readSuggestion, suggest } from '../../core/text/suggest.ts';
import { toPointer } from '../../model/json/json-patch.ts';
import { parseJsonText, parsePath } from '../../model/json/json-text.ts';
import { DEFINITION_KINDS, type FileKind } from '../../model/shape.ts';
import { convert, isValid } from './convert.ts';
import { findDefault } from './default.ts';
import { readBroken } from './read-broken.ts';

type Key = string | number;
type Operations = readonly PatchOperation[] | undefined;

/** A problem and the file that it is in. */
interface Mistake {
  readonly problem: Problem;
  readonly kind: FileKind | undefined;
  /** Name of the definition: the file's name. */
  readonly name: string;
  readonly document: unknown;
  readonly path: readonly Key[];
}

/** The kind and name of a definition by its file; a file of texts or settings of another tool has no kind. */
function readFile(file: string): Pick<Mistake, 'kind' | 'name'> {
  if (file === 'config/settings.json') return { kind: 'settings', name: 'settings' };
  const [, folder = '', name = ''] = /^config\/([a-z]+)\/([^/]+)\.json$/.exec(file) ?? [];
  return { kind: DEFINITION_KINDS.find((kind) => kind === folder), name };
}

function readAt(root: unknown, path: readonly Key[]): unknown {
  return path.reduce<unknown>(
    (node, key) => (isObject(node) && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined),
    root,
  );
}

const replace = (path: readonly Key[], value: unknown): Operations => [{ op: 'replace', path: toPointer(path), value }];
const remove = (path: readonly Key[]): Operations => [{ op: 'remove', path: toPointer(path) }];

/** The key gets another name, unless its object has that already. */
function rename({ document, path }: Mistake, name: string | undefined): Operations {
  const around = path.slice(0, -1);
  if (name === undefined || readAt(document, [...around, name]) !== undefined) return undefined;
  return [{ op: 'move', from: toPointer(path), path: toPointer([...around, name]) }];
}

/** Whether a proposed word is what the written one meant: a few letters away, or the column of a field. */
const isNear = (written: string, meant: string): boolean =>
  suggest(written, [meant]) === meant || meant.endsWith(`_${written}`);

/** An unknown name becomes the one that the hint proposes: the value at the path, or its key. */
function takeSuggestion(mistake: Mistake): Operations {
  const { problem, document, path } = mistake;
  const meant = readSuggestion(problem.hint ?? '');
  if (meant === undefined) return undefined;
  const value = readAt(document, path);
  if (typeof value === 'string') {
    const [, sign = '', bare = ''] = /^(-?)(.*)$/s.exec(value) ?? [];
    if (!isNear(bare, meant)) return undefined;
    const siblings = readAt(document, path.slice(0, -1));
    // Named twice, it would be another mistake.
    if (Array.isArray(siblings) && siblings.includes(sign + meant)) return undefined;
    return replace(path, sign + meant);
  }
  const key = path.at(-1);
  return typeof key === 'string' && isNear(key, meant) ? rename(mistake, meant) : undefined;
}

function takeValue({ problem, kind, document, path }: Mistake): Operations {
  if (kind === undefined) return undefined;
  const value = readAt(document, path);
  const meant = readSuggestion(problem.hint ?? '');
  const candidates = meant === undefined ? convert(value) : [meant];
  const valid = candidates.filter((candidate) => isValid(kind, path, candidate));
  return valid.length === 1 ? replace(path, valid[0]) : undefined;
}

/** Of two with one name, the later goes if it says the same. */
function dropCopy({ document, path }: Mistake): Operations {
  const at = path.findIndex((key) => typeof key === 'number');
  const own = path.slice(0, at + 1);
  const list = readAt(document, path.slice(0, at));
  const index = path[at];
  if (!Array.isArray(list) || typeof index !== 'number') return undefined;
  const text = JSON.stringify(list[index]);
  return list.slice(0, index).some((other) => JSON.stringify(other) === text) ? remove(own) : undefined;
}

/** A flag that the type of its field cannot have. */
function dropFlag({ problem: { hint = '' }, path }: Mistake): Operations {
  const [, missing] = /^Add "(\w+)": true\.$/.exec(hint) ?? [];
  const around = path.slice(0, -1);
  if (missing !== undefined) return [{ op: 'add', path: toPointer([...around, missing]), value: true }];
  // A rule of the list `validation` is wrong as a whole.
  return hint === 'Remove the rule.' ? remove(around) : /^compute/i.test(hint) ? undefined : remove(path);
}

function addMissing(mistake: Mistake): Operations {
  const { kind, name, document, path } = mistake;
  const value = kind === undefined ? undefined : findDefault({ kind, name, document, path });
  return value === undefined ? undefined : [{ op: 'add', path: toPointer(path), value }];
}

const dropWhole = ({ document, path }: Mistake): Operations =>
  path.length > 0 && readAt(document, path) !== undefined ? remove(path) : undefined;

/** How problems are mended, by their codes; all others by the word that their hint proposes. */
const RULES: Readonly<Record<string, (mistake: Mistake) => Operations>> = {
  DEFINITION_KEY_UNKNOWN: (mistake) => rename(mistake, readSuggestion(mistake.problem.hint ?? '')),
  DEFINITION_KEY_MISSING: addMissing,
  DEFINITION_VALUE_INVALID: takeValue,
  MODEL_FIELD_FLAG: dropFlag,
  MODEL_FIELD_DUPLICATE: dropCopy,
  MODEL_RELATION_DUPLICATE: dropCopy,
  MODEL_UNIQUE_TWICE: dropCopy,
  MODEL_INDEX_TWICE: dropCopy,
  MODEL_EXCLUDE_TWICE: dropCopy,
  // What is listed twice, and keys without an effect.
  MODEL_SCOPE_CALL_DUPLICATE: dropWhole,
  MODEL_APP_DUPLICATE: dropWhole,
  MODEL_HOOK_FIELD_TWICE: dropWhole,
  MODEL_FIELD_KEY_IDLE: dropWhole,
  MODEL_CALL_KEY_IDLE: dropWhole,
  MODEL_CALL_OWN_IDLE: dropWhole,
  MODEL_CALL_AGGREGATE_IDLE: dropWhole,
  MODEL_CALL_REMOVED_IDLE: dropWhole,
  MODEL_SCHEMA_WAS: ({ problem, path }) => (problem.hint === 'Remove "was".' ? remove(path) : undefined),
};

function findOperations(problem: Problem, text: string): Operations {
  const { kind, name } = readFile(problem.file);
  if (problem.code === 'DEFINITION_JSON_BROKEN') {
    const value = readBroken(kind, text);
    return value === undefined ? undefined : replace([], value);
  }
  const path = parsePath(problem.path);
  const { value: document, error } = parseJsonText(text);
  if (path === undefined || error !== undefined) return undefined;
  return (findOwn(RULES, problem.code) ?? takeSuggestion)({ problem, kind, name, document, path });
}

/** The change that mends a problem of a JSON file; undefined where more than one could be meant. */
function findFix(problem: Problem, text: string): Fix | undefined {
  const patch = findOperations(problem, text);
  return patch && { file: problem.file, patch };
}

/** Adds to each problem of a JSON file below `config/` the change that mends it, where one is certain. */
export function withFixes(root: string, problems: readonly Problem[]): Problem[] {
  const texts = new Map<string, string | undefined>();
  const read = (file: string): string | undefined => {
    try {
      return readFileSync(join(root, file), 'utf8');
    } catch {
      // Without its text nothing is certain.
      return undefined;
    }
  };
  return problems.map((problem) => {
    const { file } = problem;
    if (!/^config\/.+\.json$/.test(file)) return problem;
    if (!texts.has(file)) texts.set(file, read(file));
    const text = texts.get(file);
    const fix = text === undefined ? undefined : findFix(problem, text);
    return fix === undefined ? problem : { ...problem, fix };
  });
}
