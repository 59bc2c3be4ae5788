import type { Listener } from '../../../core/bus.ts';
import type { Request } from '../../../core/request.ts';
import { toDidYouMean } from '../../../core/suggest.ts';
import { setTagging } from '../../../core/tagging.ts';
import type { Row } from '../../../database/database.ts';
import { withComputed } from '../../../model/computed.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { isGiven, toPlain } from '../../../query/draft.ts';
import { toRawList } from '../../../query/operand.ts';
import { toRowVersion } from '../../../query/row-version.ts';
import { getSearcher } from '../../../query/searcher.ts';
import type { Source } from '../../../query/source.ts';
import { fail, notFound, succeed, toInvalid } from '../errors.ts';
import { findSchema, getRestriction, needKey, type Stage } from '../stage.ts';
import { keyStage } from '../stage-words.ts';

/**
 * Whether own code asks for removed rows too: `filter[x_active]=any`. A filter that came with the request does not, for a
 * detail shows the row to whoever has its address.
 */
function wantsRemoved(request: Request, { filter }: Stage, active: string | undefined): boolean {
  if (request.get('strict') === true || request.hasGet('filter') || request.hasPost('filter')) return false;
  if (active === undefined || typeof filter !== 'object' || filter === null) return false;
  const wanted = (filter as Stage)[active];
  return wanted === 'any' || wanted === '-1' || wanted === '0' || wanted === -1 || wanted === 0;
}

/** The columns and relations that the stage asks for, or the message for one that is not there. */
function readWanted(stage: Stage, source: Source): Wanted | { readonly faults: Record<string, string> } {
  const faults: Record<string, string> = {};
  const fields = isGiven(stage.fields) ? toRawList(stage.fields).map(toPlain) : undefined;
  const relations = isGiven(stage.expand) ? toRawList(stage.expand).map(toPlain) : undefined;
  const check = (parameter: string, names: readonly string[], known: readonly string[]): void => {
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) return;
    faults[parameter] = `"${unknown.slice(0, 64)}" is not there. ${toDidYouMean(unknown, known)}`;
  };
  check('fields', fields ?? [], [...source.columns.keys(), ...source.relations.keys()]);
  check(
    'expand',
    relations ?? [],
    source.schema.relations.map(({ name }) => name),
  );
  return Object.keys(faults).length > 0 ? { faults } : { fields, relations };
}

interface Wanted {
  readonly fields: readonly string[] | undefined;
  readonly relations: readonly string[] | undefined;
}

function pick(row: Row, { fields, relations = [] }: Wanted, schema: SchemaModel): Row {
  if (!fields) return withComputed(schema, row);
  const { primary } = schema;
  const kept = [primary, ...fields, ...relations].filter((name) => Object.hasOwn(row, name));
  return Object.fromEntries(kept.map((name) => [name, row[name]]));
}

const listenDetail = (context: Context): Listener =>
  async function detail(request, response) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const stage = request.getStage() as Stage;
    const key = needKey(schema, stage, response);
    if (!key) return;
    const searcher = getSearcher(context.plan.model);
    const wanted = readWanted(stage, searcher.source(schema.name));
    if ('faults' in wanted) return fail(response, toInvalid(wanted.faults, 400));
    const row = await searcher.detail(context.services.database, schema.name, key, {
      profileId: getRestriction(request)?.profileId,
      includesRemoved: wantsRemoved(request, stage, schema.active),
      relations: wanted.relations,
    });
    if (!row) return fail(response, notFound);
    // Over HTTP the answer is tagged with the row's version, whichever of its columns are shown.
    if (request.get('strict') === true) setTagging(response, { row: toRowVersion(schema, row), isWeak: false });
    succeed(response, pick(row, wanted, schema));
  };

export const systemModelDetail: EventContribution = {
  event: 'system-model-detail',
  description: 'Gives one row with its relations.',
  stage: { ...keyStage, fields: 'Columns that it has.', expand: 'Relations that it has; all by default.' },
  results:
    'The row; a 1:0 as an object or null, 1:N and N:N as lists under their names, with `<relation>_more` where a list was cut.',
  listen: listenDetail,
};
