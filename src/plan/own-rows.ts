import { TreadleError } from '../core/errors.ts';
import type { Row } from '../database/row-statement.ts';
import type { App } from './app.ts';
import type { Draft } from './draft.ts';
import type { EmitStage } from './emit/typed-emit.ts';

/** Rows read at once. */
const PAGE_ROWS = 500;
/** Related rows that `expand` may bring with one row of a search. */
const EXPANDED_ROWS = 100;
/** What the iterator sets itself. */
const OWN = ['limit', 'range', 'offset', 'start', 'after', 'before', 'total', 'group', 'sum', 'average', 'count'];

type Search = Readonly<Record<string, unknown>>;
interface Page {
  readonly rows: readonly Row[];
  readonly next?: string;
}

const listExpanded = ({ expand }: Search): number =>
  [expand ?? []].flat().flatMap((names) => String(names).split(',')).length;

function checkSearch(search: Search): void {
  const own = OWN.find((name) => search[name] !== undefined);
  if (own === undefined) return;
  throw new TreadleError('ROWS_SEARCH_INVALID', `"${own}" cannot be given to app.rows: it reads every row.`, {
    hint: `Remove "${own}", or emit "system-model-search" for one page.`,
  });
}

/** Rows of a page that `expand` allows: a page brings at most `limits.expandRows` related rows. */
function toPageRows(draft: Draft, search: Search): number {
  const count = listExpanded(search);
  if (count === 0) return PAGE_ROWS;
  const { expandRows } = draft.context().plan.model.settings.limits;
  return Math.max(1, Math.min(PAGE_ROWS, Math.floor(expandRows / (EXPANDED_ROWS * count))));
}

/** Creates `app.rows`. Each page is a search of its own, after the cursor of the last one, so no transaction stays open. */
export function createOwnRows(draft: Draft, emit: EmitStage): App['rows'] {
  async function* iterate(schema: string, search: Search): AsyncGenerator<Row, void, undefined> {
    checkSearch(search);
    const limit = toPageRows(draft, search);
    for (let after: string | undefined; ; ) {
      const response = await emit('system-model-search', { ...search, schema, limit, total: 0, after });
      if (response.isError()) {
        const status = response.getStatus();
        const message = `The rows of "${schema}" were not read: ${response.getMessage()}`;
        throw new TreadleError('ROWS_REFUSED', message, { status, detail: response.getValidation() });
      }
      const { rows, next } = response.getResults() as Page;
      yield* rows;
      if (next === undefined) return;
      after = next;
    }
  }
  return ((schema: string, search: Search = {}) => iterate(schema, search)) as App['rows'];
}
