import type { Problem } from '../core/errors.ts';
import { isRecord } from '../model/json/json-value.ts';
import type { Model, SchemaModel } from '../model/model.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { CallPlan } from '../plan/feature.ts';
import { printIndexLine, toIndexCommand, toIndexLine } from '../store/advice/index-line.ts';
import { findCandidate, isFlag, isServed } from '../store/advice/propose.ts';
import { noteSearch } from '../store/read/note.ts';
import { parseSearch } from '../store/read/parse/search-parameters.ts';
import type { Search } from '../store/read/search-shape.ts';
import { getSearcher } from '../store/read/searcher.ts';

/** The search that the fixed parameters ask for; undefined if they are invalid. */
function findSearch({ definition }: CallPlan, schema: SchemaModel, model: Model): Search | undefined {
  const { schema: _, ...input } = definition.parameters ?? {};
  const searcher = getSearcher(model);
  const { pageRows, maxPageRows, expandRows } = model.settings.limits;
  const limits = { pageRows: Math.min(pageRows, maxPageRows), maxPageRows, codeRows: maxPageRows, expandRows };
  const source = searcher.source(schema.name);
  const parsed = parseSearch(source, input, { limits, dialect: 'sqlite', toSource: (name) => searcher.source(name) });
  return 'search' in parsed ? parsed.search : undefined;
}

/** Flags that the call fixes: an index holds only the rows that have their values. */
function listFixedFlags({ conditions, values }: Search, schema: SchemaModel): Map<string, boolean> {
  const flags = conditions.flatMap(({ column, operator, slot, within, fixed }) => {
    if (column === undefined || within !== undefined || operator !== 'eq' || !isFlag(schema, column.name)) return [];
    const value = fixed === undefined ? values.list[slot] : fixed.value;
    return [[column.name, Number(value) === 1] as const];
  });
  return new Map(flags);
}

function adviseCall(call: CallPlan, model: Model): Problem[] {
  const { event, access, parameters } = call.definition;
  const schema = call.schema === undefined ? undefined : model.schemas.get(call.schema);
  if (schema === undefined || call.handler || event !== 'system-model-search' || !isRecord(parameters)) return [];
  if (parameters.filter === undefined || (parameters.sort === undefined && parameters.order === undefined)) return [];
  // The rows of one person are few.
  if (access === 'user' && getSearcher(model).source(schema.name).owner !== undefined) return [];
  const search = findSearch(call, schema, model);
  if (search === undefined) return [];
  const note = noteSearch(search, search.aggregate === undefined ? 'rows' : 'groups');
  const candidate = findCandidate(schema, note);
  if (candidate === undefined || isServed(schema, note, candidate)) return [];
  const isFiltered = candidate.some(({ name }) => !note.sort.some((sorted) => sorted.name === name));
  const isSorted = candidate.some(({ name }) => note.sort.some((sorted) => sorted.name === name));
  if (!isFiltered || !isSorted) return [];
  const line = toIndexLine(schema, candidate, listFixedFlags(search, schema));
  const message = `No index both filters and sorts as the call "${call.name}" fixes it: with many rows each search reads and sorts those that match.`;
  const hint = `Add to ${schema.file}: ${printIndexLine(line)}, or run: ${toIndexCommand(schema.name, line)}`;
  const path = parameters.sort === undefined ? 'parameters.order' : 'parameters.sort';
  return [{ code: 'REST_INDEX_MISSING', file: call.file, path, message, hint, severity: 'advice' }];
}

/** Advises indexes for calls that fix a filter and a sort by another column. */
export const adviseIndexes = ({ calls, model }: CompiledPlan): Problem[] =>
  calls.flatMap((call) => adviseCall(call, model));
