import type { Listener } from '../../../core/bus/followers.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Row } from '../../../database/row-statement.ts';
import { withComputed } from '../../../model/computed.ts';
import { listNames } from '../../../model/filter/operand.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import { anything, row } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { SearchError } from '../../../store/read/answer.ts';
import { isGiven } from '../../../store/read/parse/draft.ts';
import { type DetailContent, type ExpandOptions, parseDetailContent } from '../../../store/read/parse/expand.ts';
import { toRowVersion } from '../../../store/read/row-version.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import type { Source } from '../../../store/read/source/source.ts';
import type { Reach } from '../../../store/read/source/view.ts';
import { notFound, toInvalid } from '../errors.ts';
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
function readWanted(
  stage: Stage,
  source: Source,
  options: ExpandOptions,
): DetailContent | { readonly faults: Record<string, string> } {
  // Most requests name nothing, and get the whole row.
  if (!isGiven(stage.fields) && stage.expand === undefined) return WHOLE_ROW;
  const errors: Record<string, string> = {};
  const fields = isGiven(stage.fields) ? listNames(stage.fields) : undefined;
  const named = isGiven(stage.expand) ? listNames(stage.expand) : undefined;
  const expand = stage.expand === '' ? [] : named;
  const shown = parseDetailContent({ fields, expand }, source, options, errors);
  return Object.keys(errors).length > 0 ? { faults: errors } : shown;
}

const WHOLE_ROW: DetailContent = {
  fields: undefined,
  relations: undefined,
  joined: new Set(),
  expand: [],
  branches: [],
};

function pick(row: Row, { fields, relations = [], joined, branches }: DetailContent, schema: SchemaModel): Row {
  if (!fields) return withComputed(schema, row);
  const { primary } = schema;
  // A 1:1 relation has its columns in the row itself.
  const flat = schema.row.flat.flatMap(({ name, relation }) => (joined.has(relation.name) ? [name] : []));
  const selected = new Set(
    [primary, ...fields, ...relations, ...flat, ...branches.map(({ key }) => key)].filter((name) =>
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
    const toSource: ExpandOptions['toSource'] = (name, view) => searcher.source(name, view);
    const wanted = readWanted(stage, searcher.source(schema.name, reach), { toSource, see: reach.see });
    if ('faults' in wanted) return response.refuse(toInvalid(wanted.faults, 400));
    const options = {
      ...reach,
      includesRemoved: wantsRemoved(request, schema.active, reach),
      relations: wanted.relations,
      branches: wanted.branches,
      expand: wanted.expand,
    };
    const show = (row: Row | undefined): void => {
      if (!row) {
        response.refuse(notFound);
        return;
      }
      // Over HTTP the answer carries the row's version (ETag), computed from all columns, shown or not.
      if (request.callFacts !== undefined) response.tagging = { row: toRowVersion(schema, row), isWeak: false };
      response.succeed(pick(row, wanted, schema));
    };
    const fail = (error: unknown): void => {
      if (!(error instanceof SearchError)) throw error;
      response.refuse(toInvalid(error.validation, error.status));
    };
    return searcher.detail(context.services.database, schema.name, key, options).then(show, fail);
  };

export const systemModelDetail = defineRowEvent({
  name: 'system-model-detail',
  description: 'Finds one row with its relations.',
  keys: (schema) => ({
    ...rowKeys(schema),
    fields: () => anything('Columns to return; those of related rows as `relation.column`.'),
    expand: () => anything('Relations to include, and theirs after a dot; none if it is empty. Default all.'),
  }),
  results: () =>
    row().describe(
      'The row. A 1:0 is an object or null, 1:N and N:N are lists under their names. `<relation>_more` says that a list was cut.',
    ),
  kind: 'reads',
  listen: listenDetail,
});
