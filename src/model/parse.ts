import * as z from 'zod';
import type { Problem } from '../core/errors.ts';
import { findOwn, isObject } from '../core/record.ts';
import { suggest, toDidYouMean } from '../core/text/suggest.ts';
import { toTypeHint } from './field/field-type-name.ts';
import { type JsonText, parseJsonText, printPath } from './json/json-text.ts';
import { toKindHint } from './relation-kind-name.ts';
import { findShape, isObjectShape, readDescription, toObjectOr } from './shape/walk.ts';
import { type DefinitionOf, type FileKind, SHAPES } from './shape.ts';

/** A definition with its file and text. */
export interface Source<T> {
  /** Path relative to the project's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  readonly value: T;
}

export type ParseResult<T> =
  | { readonly source: Source<T>; readonly problems: readonly [] }
  | { readonly source: undefined; readonly problems: readonly Problem[] };

type Issue = z.core.$ZodIssue;
type ProblemText = Pick<Problem, 'code' | 'message' | 'hint'>;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const toKind = (value: unknown): string => {
  if (value === null) return 'null';
  return KINDS[Array.isArray(value) ? 'array' : typeof value] ?? typeof value;
};

function readAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (node, key) => (isObject(node) && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined),
    value,
  );
}

const toChoices = (values: readonly unknown[]): string[] => values.map(String);

function toSizeRule(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const isSmall = issue.code === 'too_small';
  const bound = isSmall ? issue.minimum : issue.maximum;
  const most = isSmall ? 'at least' : 'at most';
  if (issue.origin === 'string')
    return isSmall && bound === 1 ? 'must not be empty' : `must have ${most} ${bound} characters`;
  if (issue.origin === 'array')
    return isSmall && bound === 1 ? 'must not be empty' : `must have ${most} ${bound} entries`;
  return `must be ${most} ${bound}`;
}

/** What a union says that has no message of its own. */
const UNTOLD = 'Invalid input';

/** The violated rule, without the value's name. */
function toRule(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int'
        ? 'must be a whole number'
        : `must be ${findOwn(KINDS, issue.expected) ?? issue.expected}, not ${toKind(value)}`;
    case 'invalid_value':
      return `must be one of ${toChoices(issue.values).join(', ')}`;
    case 'too_small':
    case 'too_big':
      return toSizeRule(issue);
    case 'invalid_union':
      return issue.message === UNTOLD ? `must not be ${toKind(value)}` : issue.message;
    default:
      return issue.message;
  }
}

/** The rule of a shape that a value breaks, such as `must start with "/"`; undefined for a valid value. */
export function findShapeError(shape: z.core.$ZodType, value: unknown): string | undefined {
  const [issue] = z.safeParse(shape, value).error?.issues ?? [];
  return issue && toRule(issue, readAt(value, issue.path));
}

/** Maximum choices listed next to a suggestion. */
const LISTED_CHOICES = 12;

const toQuoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/** Keys with values that may contain a password or a hash; messages must not repeat them. */
const SECRET_KEYS: ReadonlySet<string> = new Set(['url', 'secretHash']);

/** The last key of a path, with the indexes that follow it: `cors[0]`. */
function toKeyName(path: readonly PropertyKey[]): string {
  const start = path.findLastIndex((key) => typeof key !== 'number');
  return start < 0 ? printPath(path) : printPath(path.slice(start));
}

function toUnknownTexts(kind: FileKind, issue: Issue & { code: 'unrecognized_keys' }): [PropertyKey[], ProblemText][] {
  const found = findShape(SHAPES[kind], issue.path);
  const shape = found && toObjectOr(found);
  const known = isObjectShape(shape) ? Object.keys(shape.shape) : [];
  return issue.keys.map((key) => [
    [...issue.path, key],
    { code: 'DEFINITION_KEY_UNKNOWN', message: `The key "${key}" is unknown.`, hint: toDidYouMean(key, known) },
  ]);
}

const isRelationKind = (kind: FileKind, path: readonly PropertyKey[]): boolean =>
  kind === 'schema' && path.length === 3 && path[0] === 'relations' && path[2] === 'kind';

const isFieldType = (kind: FileKind, path: readonly PropertyKey[]): boolean =>
  (kind === 'schema' || kind === 'fieldset') && path.length === 3 && path[0] === 'fields' && path[2] === 'type';

function toProblemText(kind: FileKind, issue: Issue, root: unknown): ProblemText {
  const name = toKeyName(issue.path);
  const value = readAt(root, issue.path);
  const shape = findShape(SHAPES[kind], issue.path);
  const description = shape && readDescription(shape);
  if (value === undefined && issue.path.length > 0) {
    return {
      code: 'DEFINITION_KEY_MISSING',
      message: `"${name}" is missing.`,
      hint: description === undefined ? `Add "${name}".` : `Add "${name}": ${description}`,
    };
  }
  const message = `${issue.path.length === 0 ? 'The file' : `"${name}"`} ${toRule(issue, value)}.`;
  if (issue.code === 'invalid_value' && typeof value === 'string' && isFieldType(kind, issue.path)) {
    const long = `"type" must be one of ${issue.values.length} field types; ${toQuoted(value)} is not one of them.`;
    return { code: 'DEFINITION_VALUE_INVALID', message: long, hint: toTypeHint(value) };
  }
  if (issue.code === 'invalid_value' && typeof value === 'string' && isRelationKind(kind, issue.path))
    return {
      code: 'DEFINITION_VALUE_INVALID',
      message,
      hint: `${toQuoted(value)} is not one of them. ${toKindHint(value)}`,
    };
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const near = suggest(value, toChoices(issue.values));
    if (near !== undefined && issue.values.length > LISTED_CHOICES) {
      const long = `"${name}" must be one of ${issue.values.length} values; ${toQuoted(value)} is not one of them.`;
      return { code: 'DEFINITION_VALUE_INVALID', message: long, hint: `Did you mean "${near}"?` };
    }
    const hint = `${toQuoted(value)} is not one of them.${near === undefined ? '' : ` Did you mean "${near}"?`}`;
    return { code: 'DEFINITION_VALUE_INVALID', message, hint };
  }
  const isShown = typeof value !== 'object' && !SECRET_KEYS.has(name);
  const hint = isShown ? `It is ${toQuoted(value)}.${description ? ` ${description}` : ''}` : description;
  return { code: 'DEFINITION_VALUE_INVALID', message, ...(hint === undefined ? {} : { hint }) };
}

function toProblems(kind: FileKind, file: string, json: JsonText, issues: readonly Issue[]): Problem[] {
  return issues.flatMap((issue) => {
    const texts: [readonly PropertyKey[], ProblemText][] =
      issue.code === 'unrecognized_keys'
        ? toUnknownTexts(kind, issue)
        : [[issue.path, toProblemText(kind, issue, json.value)]];
    return texts.map(([path, text]) => ({
      ...text,
      file,
      path: printPath(path),
      ...json.findPlace(path),
    }));
  });
}

/** Parses the text of a definition file. The value is as written; only settings get their defaults. */
export function parseDefinition<K extends FileKind>(kind: K, file: string, text: string): ParseResult<DefinitionOf[K]> {
  const json = parseJsonText(text);
  if (json.error) {
    const { line, column, message } = json.error;
    const problem: Problem = {
      code: 'DEFINITION_JSON_BROKEN',
      file,
      path: '',
      line,
      column,
      message: `This is not JSON: ${message}.`,
      hint: text.trim() === '' ? 'The file is empty: write the definition, or remove the file.' : 'Correct it there.',
    };
    return { source: undefined, problems: [problem] };
  }
  const shapes: { readonly [Kind in FileKind]: z.ZodType<DefinitionOf[Kind]> } = SHAPES;
  const result = shapes[kind].safeParse(json.value);
  if (!result.success) return { source: undefined, problems: toProblems(kind, file, json, result.error.issues) };
  return { source: { file, text, value: result.data }, problems: [] };
}
