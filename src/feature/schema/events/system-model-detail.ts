import type { Listener } from '../../../core/bus/followers.ts';
import type { Request } from '../../../core/request/request.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Row } from '../../../database/row-statement.ts';
import { withComputed } from '../../../model/computed.ts';
import { listNames } from '../../../model/filter/operand.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import { anything, row } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { SearchError } from '../../../store/read/answer.ts';
import { type Branch, isBranch, listBranchNames, parseBranch } from '../../../store/read/parse/branch.ts';
import { isGiven } from '../../../store/read/parse/draft.ts';
import { toRowVersion } from '../../../store/read/row-version.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import type { Source } from '../../../store/read/source/source.ts';
import type { Reach } from '../../../store/read/source/view.ts';
import { toMissingRow, toWrongSearch } from '../errors.ts';
import { findSchema, isRemovedOpen, needKey, needReach, type Stage } from '../stage.ts';
import { rowKeys } from '../stage-docs.ts';
import { openUnowned } from '../unowned.ts';

/**
 * True if the stage also asks for a removed row: `filter[x_active]=any`. A request's own filter counts only if
 * its call opens removed rows.
 */
function wantsRemoved(request: Request, active: string | undefined, { read, sure = read }: Reach): boolean {
  const filter = request.getStage('filter');
  if (active === undefined || typeof filter !== 'object' || filter === null) return false;
  const isOpen = isRemovedOpen(request) && sure?.has(active) !== false;
  if (request.isBrought('filter', active) && !isOpen) return false;
  const wanted = (filter as Stage)[active];
  return wanted === 'any' || wanted === '-1' || wanted === '0' || wanted === -1 || wanted === 0;
}

/** The requested columns and relations, or a message for each unknown name. */
function readWanted(stage: Stage, source: Source): DetailSelection | { readonly faults: Record<string, string> } {
  // Most requests name nothing, and get the whole row.
  if (!isGiven(stage.fields) && stage.expand === undefined) return WHOLE_ROW;
  const errors: Record<string, string> = {};
  const fields = isGiven(stage.fields) ? listNames(stage.fields) : undefined;
  const named = isGiven(stage.expand) ? listNames(stage.expand) : undefined;
  const expand = stage.expand === '' ? [] : named;
  const check = (parameter: string, names: readonly string[], known: readonly string[]): void => {
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) return;
    errors[parameter] = `"${unknown.slice(0, 64)}" does not exist. ${toDidYouMean(unknown, known)}`;
  };
  check('fields', fields ?? [], [...source.columns.keys(), ...source.relations.keys()]);
  const { schema } = source;
  const parsed = (expand ?? []).map((name) => [name, parseBranch(name, schema)] as const);
  const branches = parsed.map(([, branch]) => branch).filter(isBranch);
  const others = parsed.flatMap(([name, branch]) => (branch === undefined ? [name] : []));
  check('expand', others, [...schema.relations.map(({ name }) => name), ...listBranchNames(schema)]);
  for (const [, branch] of parsed) if (branch !== undefined && 'error' in branch) errors.expand ??= branch.error;
  // What "fields" leaves out is not read.
  const relations = expand === undefined ? fields?.filter((name) => source.relations.has(name)) : others;
  return Object.keys(errors).length > 0 ? { faults: errors } : { fields, relations, branches };
}

interface DetailSelection {
  readonly fields: readonly string[] | undefined;
  readonly relations: readonly string[] | undefined;
  readonly branches: readonly Branch[];
}

const WHOLE_ROW: DetailSelection = { fields: undefined, relations: undefined, branches: [] };

function pick(row: Row, { fields, relations = [], branches }: DetailSelection, schema: SchemaModel): Row {
  if (!fields) return withComputed(schema, row);
  const { primary } = schema;
  // A 1:1 relation has its columns in the row itself.
  const joined = schema.row.flat.flatMap(({ name, relation }) => (relations.includes(relation.name) ? [name] : []));
  const selected = new Set(
    [primary, ...fields, ...relations, ...joined, ...branches.map(({ key }) => key)].filter((name) =>
      Object.hasOwn(row, name),
    ),
  );
  return Object.fromEntries([...selected].map((name) => [name, row[name]]));
}

const listenDetail = (context: Context): Listener =>
  function detail(request, response) {
    const schema = findSchema(context, request, response);
    if (!schema) return undefined;
    const stage = request.getStage() as Stage;
    const searcher = getSearcher(context.plan.model);
    const granted = needReach(context, schema.name, 'detail', response);
    const reach = granted && openUnowned(context, schema, request, granted);
    const key = reach && needKey(schema, stage, response);
    if (!reach || !key) return undefined;
    const wanted = readWanted(stage, searcher.source(schema.name, reach));
    if ('faults' in wanted) return response.refuse(toWrongSearch(wanted.faults));
    const options = {
      ...reach,
      includesRemoved: wantsRemoved(request, schema.active, reach),
      relations: wanted.relations,
      branches: wanted.branches,
    };
    const show = (row: Row | undefined): void => {
      if (!row) {
        response.refuse(toMissingRow(schema, key));
        return;
      }
      // Over HTTP the answer carries the row's version (ETag), computed from all columns, shown or not.
      if (request.callFacts !== undefined) response.tagging = { row: toRowVersion(schema, row), isWeak: false };
      response.succeed(pick(row, wanted, schema));
    };
    const fail = (error: unknown): void => {
      if (!(error instanceof SearchError)) throw error;
      response.refuse(toWrongSearch(error.validation));
    };
    return searcher.detail(context.services.database, schema.name, key, options).then(show, fail);
  };

export const systemModelDetail = defineRowEvent({
  name: 'system-model-detail',
  description: 'Finds one row with its relations.',
  keys: (schema) => ({
    ...rowKeys(schema),
    fields: () => anything('Columns to return.'),
    expand: () => anything('Relations to include; none if it is empty. Default all.'),
  }),
  results: () =>
    row().describe(
      'The row. A 1:0 is an object or null, 1:N and N:N are lists under their names. `<relation>_more` says that a list was cut.',
    ),
  kind: 'reads',
  listen: listenDetail,
});
