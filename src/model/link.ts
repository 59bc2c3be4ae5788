import { isError, type Problem, sortProblems } from '../core/errors.ts';
import { type Definitions, readOwnName } from './definitions.ts';
import { type FieldRules, fieldRules } from './field/field-rules.ts';
import { KIND_WORDS } from './kind-words.ts';
import { linkApps, linkHooks } from './link/apps.ts';
import { linkCalls, linkScopes } from './link/calls.ts';
import { linkComputed } from './link/computed.ts';
import { checkDisplay } from './link/display.ts';
import { checkExclude, listExcludes } from './link/exclude.ts';
import { checkFields, checkFieldsetCycles } from './link/fields.ts';
import { checkIndexes, listIndexes } from './link/indexes.ts';
import { adviseMeetings } from './link/meeting.ts';
import { checkPage } from './link/page.ts';
import { linkRelations } from './link/relations.ts';
import { createReport, type Report } from './link/report.ts';
import { linkRoles } from './link/roles.ts';
import { draftSchemas, type SchemaDraft } from './link/schemas.ts';
import { checkTrees, listTrees } from './link/trees.ts';
import { checkUnique, listUnique } from './link/unique.ts';
import type { Model, SchemaModel } from './model.ts';
import { findNameReserve } from './names.ts';
import { compileRowShape } from './row-shape.ts';
import { NAME_PATTERN } from './shape/text.ts';
import { DEFINITION_KINDS, type DefinitionKind, NAME_KEYS } from './shape.ts';

export type { Definitions } from './definitions.ts';

export interface LinkResult {
  /** Undefined if there is an error, unless the options ask for a partial model. */
  readonly model: Model | undefined;
  /** True if no definition is invalid. */
  readonly isWhole: boolean;
  readonly problems: readonly Problem[];
  /**
   * With `leavesCalls`: calls in scopes that no file defines, each with the problem to report if the code
   * does not define it either.
   */
  readonly unknownCalls: readonly UnknownCall[];
  /** With `leavesCalls`: the same for web hooks in apps. */
  readonly unknownHooks: readonly UnknownCall[];
}

export interface UnknownCall {
  readonly name: string;
  readonly problem: Problem;
}

export interface LinkOptions {
  /** What fields may have. Default: the built-in tables. */
  readonly rules?: FieldRules;
  /**
   * True to leave unknown calls of scopes, and unknown hooks of apps, to a caller that knows the project's
   * code. Default false.
   */
  readonly leavesCalls?: boolean;
  /** True to give a model of the valid definitions even if others are invalid, to check further. Default false. */
  readonly isPartial?: boolean;
}

const toUnknown = ({ problems }: Report, names: readonly string[]): UnknownCall[] =>
  problems.map((problem, index) => ({ name: names[index] ?? '', problem }));

function checkFileNames(definitions: Definitions, kind: DefinitionKind, report: Report): void {
  const key = NAME_KEYS[kind];
  for (const [name, source] of definitions[kind]) {
    const reserve = kind === 'schema' ? undefined : findNameReserve(name);
    if (reserve !== undefined) {
      const message = `The ${KIND_WORDS[kind].one} "${name}" cannot have that name: ${reserve}.`;
      const hint = `Choose another name, such as "my-${name.toLowerCase()}".`;
      report.add(source, key === undefined ? [] : [key], { code: 'MODEL_NAME_RESERVED', message, hint });
    }
    const own = readOwnName(kind, name, source.value);
    if (own !== name) {
      const message = `The file is named "${name}", but its ${key} is "${own}".`;
      const hint = `Name the file config/${kind}/${own}.json, or change "${key}".`;
      report.add(source, key === undefined ? [] : [key], { code: 'MODEL_FILE_NAME', message, hint });
    } else if (key === undefined && !NAME_PATTERN.test(name)) {
      const message = `"${name}" is not a valid name, and the file's name is the name of what it defines.`;
      const hint = 'Start with a small letter; letters, digits, "-" and "_" may follow.';
      report.add(source, [], { code: 'MODEL_FILE_NAME', message, hint });
    }
  }
}

function createSchemaModel(draft: SchemaDraft, drafts: ReadonlyMap<string, SchemaDraft>): SchemaModel {
  const { source: _, ...schema } = draft;
  Object.freeze(schema.columns);
  Object.freeze(schema.relations);
  Object.freeze(schema.reverse);
  const row = compileRowShape(draft, (name) => drafts.get(name));
  return Object.freeze({
    ...schema,
    trees: listTrees(draft),
    unique: listUnique(draft),
    exclude: listExcludes(draft),
    indexes: listIndexes(draft),
    row,
  });
}

/** True if a relation leads to a schema whose file is invalid, so that its key is no column yet. */
const namesBroken = ({ broken }: Definitions, { definition }: SchemaDraft): boolean =>
  (definition.relations ?? []).some(({ schema }) => broken.has(`schema/${schema}`));

/** Checks the rules that name columns of the table, and so keys of relations. */
function checkKeys(draft: SchemaDraft, report: Report): void {
  checkUnique(draft, report);
  checkExclude(draft, report);
  checkIndexes(draft, report);
}

/**
 * Links all definitions: names, columns, relations from both ends, calls with their scopes. Reports all
 * problems together, with file, path, line and remedy.
 */
export function linkModel(definitions: Definitions, options: LinkOptions = {}): LinkResult {
  const report = createReport();
  const rules = options.rules ?? fieldRules;
  for (const kind of DEFINITION_KINDS) checkFileNames(definitions, kind, report);
  for (const source of definitions.schema.values()) {
    checkFields({ source, definitions, rules, report, isFieldset: false });
  }
  for (const source of definitions.fieldset.values()) {
    checkFields({ source, definitions, rules, report, isFieldset: true });
  }
  checkFieldsetCycles(definitions, report);
  const drafts = draftSchemas(definitions, report);
  linkRelations(definitions, drafts, report);
  linkComputed(definitions, drafts, report);
  for (const draft of drafts.values()) {
    checkDisplay(draft, drafts, report);
    checkPage(draft, report);
    checkTrees(draft, report);
    if (!namesBroken(definitions, draft)) checkKeys(draft, report);
    adviseMeetings(draft, report);
  }
  const calls = linkCalls(definitions, drafts, report);
  const open = options.leavesCalls === true ? createReport() : report;
  const { scopes, unknown } = linkScopes({ definitions, report, open });
  const hooks = linkHooks(definitions, drafts, report);
  const openHooks = options.leavesCalls === true ? createReport() : report;
  const { apps, unknown: hookNames } = linkApps({ definitions, report, open: openHooks });
  const roles = linkRoles(definitions, drafts, report);
  const problems = sortProblems(report.problems);
  const unknownCalls = open === report ? [] : toUnknown(open, unknown);
  const unknownHooks = openHooks === report ? [] : toUnknown(openHooks, hookNames);
  const told = { problems, unknownCalls, unknownHooks };
  const isWhole = !problems.some(isError) && definitions.broken.size === 0;
  if (!isWhole && options.isPartial !== true) return { model: undefined, isWhole, ...told };
  const model: Model = {
    settings: definitions.settings.value,
    ...(definitions.version === undefined ? {} : { version: definitions.version }),
    schemas: new Map([...drafts].map(([name, draft]) => [name, createSchemaModel(draft, drafts)] as const)),
    fieldsets: new Map([...definitions.fieldset].map(([name, source]) => [name, source.value] as const)),
    calls,
    scopes,
    hooks,
    apps,
    roles,
  };
  return { model: Object.freeze(model), isWhole, ...told };
}
