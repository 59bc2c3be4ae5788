import { findOwn } from '../../../core/record.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Index } from '../../../model/shape.ts';
import { readList } from '../../../page/emit-event.ts';
import { createRoute, type Exchange, flash } from '../../../page/exchange.ts';
import { toDurationText } from '../../../page/format.ts';
import { showPage } from '../../../page/frame.ts';
import { emitAndLead } from '../../../page/list-page.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { addIndexLine } from '../../../store/advice/index-line.ts';
import { mayOpenDefinition } from '../access.ts';
import type { Outcome } from '../submit.ts';
import { proposeValues, readSubmission, submit } from '../submit.ts';
import { findWriteRefusal } from '../write-right.ts';

const PATH = '/admin/slow';
const SCHEMA_PAGE = '/admin/system/schema/update/x';

const KINDS: Readonly<Record<string, string>> = {
  rows: 'Page',
  total: 'Total',
  groups: 'Groups',
  detail: 'One row',
  related: 'Related rows',
};

/** The index of a slow search, as `slow-search` returns it. */
interface IndexView {
  readonly state: 'proposed' | 'there' | 'useless';
  readonly line: string;
  readonly file: string;
  readonly columns: Index['columns'];
  readonly tried: boolean | null;
}

function toView(row: Row, canAdd: boolean): Row {
  const index = row.index as IndexView | null;
  const isProposed = index?.state === 'proposed';
  return {
    ...row,
    kind: translate(findOwn(KINDS, String(row.kind)) ?? ''),
    worst: toDurationText(Number(row.worst)),
    mean: toDurationText(Number(row.mean)),
    isProposed,
    isThere: index?.state === 'there',
    isTried: index?.tried === true,
    canAdd: isProposed && canAdd,
    // With an index it repeats the line.
    remedy: isProposed ? undefined : row.remedy,
  };
}

async function showSlow(context: Context, exchange: Exchange): Promise<void> {
  const { rows, message } = await readList(context, 'slow-search', {});
  const mayAdd = mayOpenDefinition(context, SCHEMA_PAGE, 'POST');
  const refusal = mayAdd ? await findWriteRefusal(context, 'schema') : undefined;
  const canAdd = mayAdd && refusal === undefined;
  // Lower in `dev`.
  const least = Math.min(context.services.slowReads.least, context.plan.model.settings.limits.slowMilliseconds);
  const isProposing = rows.some(({ index }) => (index as IndexView | null)?.state === 'proposed');
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Slow searches'),
    template: 'admin/run/slow',
    data: {
      message,
      searches: rows.map((row) => toView(row, canAdd)),
      refusal: isProposing ? refusal : undefined,
      least: toDurationText(least),
    },
  });
}

/** Why the index was not added. */
function toFailure(outcome: Outcome): string {
  if (outcome.state === 'refused') return outcome.message;
  if (outcome.state === 'conflict')
    return translate('{file} changed on disk meanwhile. Nothing was written.', { file: outcome.file });
  const [problem] = outcome.state === 'invalid' || outcome.state === 'broken' ? outcome.problems : [];
  return problem?.message ?? translate('That did not work.');
}

async function addIndex(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const id = request.getParameters('slow_id');
  const { rows } = await readList(context, 'slow-search', {});
  const row = rows.find(({ slow_id }) => slow_id === id);
  const index = row?.index as IndexView | null | undefined;
  const name = String(row?.schema ?? '');
  const { definitions } = await readProject(context.services.root);
  const found = definitions.schema.get(name)?.value;
  response.setRedirect(PATH);
  if (found === undefined || index?.state !== 'proposed') {
    flash(exchange, translate('No index is proposed for this search any more.'), 'error');
    return;
  }
  const outcome = await submit(context, {
    by: { ...exchange, home: PATH },
    submission: readSubmission({}),
    title: translate('Added an index to the schema {name}', { name }),
    propose: () =>
      proposeValues(context, [{ kind: 'schema', name, value: addIndexLine(found, { columns: index.columns }) }]),
  });
  // The answer leads to the page that asks for the password.
  if (outcome.state === 'unproven') return;
  if (outcome.state !== 'saved') flash(exchange, toFailure(outcome), 'error');
  else
    flash(
      exchange,
      translate('The index was added to {file}. The page of the schema undoes it.', { file: index.file }),
    );
}

const clear = (context: Context, exchange: Exchange): Promise<void> =>
  emitAndLead(context, exchange, {
    event: 'slow-remove',
    stage: {},
    path: PATH,
    done: () => translate('The list is empty now.'),
  });

/** The page of slow searches. */
export const slowRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'Lists slow searches in the admin section, and the index that would help.', showSlow),
  createRoute('POST', `${PATH}/index/:slow_id`, 'Adds the index that a slow search needs to its schema.', addIndex),
  createRoute('POST', `${PATH}/clear`, 'Forgets the slow searches.', clear),
];
