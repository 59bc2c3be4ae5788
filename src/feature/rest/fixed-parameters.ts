import type { Problem } from '../../core/errors.ts';
import { suggest, toDidYouMean } from '../../core/text/suggest.ts';
import { findOptionError, listNames } from '../../model/filter/operand.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { AGGREGATES } from '../../model/shape.ts';
import type { CallPlan, Facts } from '../../plan/feature.ts';
import { isBranch, listBranchNames, parseBranch } from '../../store/read/parse/branch.ts';
import { parseDetailContent } from '../../store/read/parse/expand.ts';
import { findUnknownNames, parseSearch } from '../../store/read/parse/search-parameters.ts';
import { getSearcher } from '../../store/read/searcher.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** The path in the file of a search's parameter: `filter[article_words][gte]` gives `parameters.filter.article_words.gte`. */
const toPath = (parameter: string): string => {
  const [first = '', ...more] = parameter.split(/[[\]]+/).filter(Boolean);
  return ['parameters', first, ...more].join('.');
};

function toProblem(call: CallPlan, parameter: string, message: string, hint: string): Problem {
  const words = `The call "${call.name}" has a fixed parameter that does not work: ${message}`;
  const { file } = call;
  return { code: 'REST_PARAMETER_INVALID', file, path: toPath(parameter), message: words, hint, severity: 'warning' };
}

/** Errors of the search that the fixed parameters ask for, by parameter. */
function findSearchErrors(call: CallPlan, input: Parameters, model: Model): Readonly<Record<string, string>> {
  const searcher = getSearcher(model);
  const source = searcher.source(call.schema as string);
  const { pageRows, maxPageRows, expandRows } = model.settings.limits;
  const limits = { pageRows: Math.min(pageRows, maxPageRows), maxPageRows, codeRows: maxPageRows, expandRows };
  const { aggregate = [] } = call.definition;
  const parsed = parseSearch(source, input, {
    limits,
    dialect: 'sqlite',
    isStrict: true,
    toSource: (name) => searcher.source(name),
  });
  return {
    ...('errors' in parsed ? parsed.errors : {}),
    ...findMistyped(input, new Set([...call.parameters, ...aggregate, ...AGGREGATES, 'schema'])),
  };
}

/** Keys near a parameter of a search. Any other key may be for a listener of the project. */
function findMistyped(input: Parameters, allowed: ReadonlySet<string>): Readonly<Record<string, string>> {
  const errors = findUnknownNames(input, allowed);
  return Object.fromEntries(Object.entries(errors).filter(([, text]) => text.includes('Did you mean')));
}

const WRITES = /^system-model-(?:create|update)$/;

function findOptionProblem(call: CallPlan, name: string, error: string | undefined): Problem[] {
  if (error === undefined) return [];
  const [, message = error, hint = ''] = /^(.*?[.]) (.+)$/.exec(error) ?? [];
  return [toProblem(call, name, `"${name}" ${message}`, hint)];
}

/** Columns and relations in the lists of a detail that no row has: it answers 400. */
function findDetailProblems(call: CallPlan, { fields, expand }: Parameters, model: Model): Problem[] {
  const searcher = getSearcher(model);
  const source = searcher.source(call.schema as string);
  const { schema, columns, relations } = source;
  const judge = (key: string, value: unknown, known: readonly string[], what: string): Problem[] =>
    listNames(value)
      .filter((name) => name !== '' && !name.includes('.') && !known.includes(name))
      .map((name) => toProblem(call, key, `"${name}" is not a ${what} of ${schema.name}.`, toDidYouMean(name, known)));
  const own = [
    ...judge('fields', fields, [...columns.keys(), ...relations.keys()], 'column'),
    ...judge(
      'expand',
      listNames(expand).filter((name) => !isBranch(parseBranch(name, schema))),
      [...schema.relations.map(({ name }) => name), ...listBranchNames(schema)],
      'relation',
    ),
  ];
  if (own.length > 0) return own;
  // The rest is of related rows.
  const toNames = (value: unknown): string[] | undefined =>
    value === undefined ? undefined : listNames(value).filter((name) => name !== '');
  const errors: Record<string, string> = {};
  const options = { toSource: searcher.source, see: undefined };
  parseDetailContent({ fields: toNames(fields), expand: toNames(expand) }, source, options, errors);
  return Object.entries(errors).map(([key, text]) => {
    const [, message = text, hint = 'See docs/guide/search.md.'] = /^(.*?[.]) (.+)$/.exec(text) ?? [];
    return toProblem(call, key, message, hint);
  });
}

/** Fixed values for a column that the schema does not have; they are left out of the row. */
function findColumnProblems(call: CallPlan, input: Parameters, schema: SchemaModel, model: Model): Problem[] {
  const known = [...schema.row.stored, schema.primary];
  const { columns } = getSearcher(model).source(schema.name);
  return Object.entries(input).flatMap(([name, value]) => {
    if (call.parameters.includes(name)) return [];
    if (known.includes(name))
      return findOptionProblem(call, name, findOptionError(columns.get(name) ?? {}, 'eq', value));
    const near = suggest(name, known) ?? (schema.byName.has(name) ? schema.byName.get(name)?.name : undefined);
    if (near === undefined && !name.startsWith(`${schema.name}_`)) return [];
    const hint = near === undefined ? toDidYouMean(name, known) : `Did you mean "${near}"?`;
    return [toProblem(call, name, `"${name}" is not a column of ${schema.name}.`, hint)];
  });
}

function findProblems(call: CallPlan, model: Model): Problem[] {
  const { event, parameters } = call.definition;
  const schema = call.schema === undefined ? undefined : model.schemas.get(call.schema);
  if (schema === undefined || !isRecord(parameters) || call.handler) return [];
  const { schema: _, ...input } = parameters;
  if (WRITES.test(event)) return findColumnProblems(call, input, schema, model);
  if (event === 'system-model-detail') return findDetailProblems(call, input, model);
  // Most calls fix the schema alone.
  if (event !== 'system-model-search' || Object.keys(input).length === 0) return [];
  return Object.entries(findSearchErrors(call, input, model)).map(([parameter, text]) => {
    const [, message = text, hint = 'See docs/guide/search.md.'] = /^(.*?[.]) (.+)$/.exec(text) ?? [];
    return toProblem(call, parameter, message, hint);
  });
}

/**
 * Warnings on fixed parameters of calls that no request can use: a filter on no column, an option that a select does not
 * have. Such a call answers 400, or no rows.
 */
export const findFixedProblems = ({ calls, model }: Facts): Problem[] =>
  calls.flatMap((call) => findProblems(call, model));
