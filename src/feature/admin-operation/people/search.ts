import { asSystem } from '../../../core/access.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { readResults } from '../../../page/emit-event.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { mayOpen } from '../../../page/guard.ts';
import { readQuery, toChoices } from '../../../page/list-page.ts';
import type { Context } from '../../../plan/feature.ts';
import { toPerson } from './person.ts';

const PAGE_ROWS = 50;

/** Lists the people with an account. */
export async function showPeople(context: Context, exchange: Exchange): Promise<void> {
  const query = readQuery(exchange, ['q', 'active', 'offset']);
  const active = ['0', 'any'].includes(query.active ?? '') ? query.active : '1';
  const offset = /^\d{1,9}$/.test(query.offset ?? '') ? Number(query.offset) : 0;
  const stage = { q: query.q ?? '', filter: { auth_active: active }, limit: PAGE_ROWS, offset };
  const found = await asSystem(() => readResults(context, 'auth-search', stage));
  const { rows = [], total = 0 } = (found ?? {}) as { readonly rows?: readonly Row[]; readonly total?: number };
  const toPage = (from: number): string => String(new URLSearchParams({ ...query, offset: String(from) }));
  const data = {
    q: query.q,
    total,
    rows: rows.map(toPerson),
    isFiltered: query.q !== undefined || active !== '1',
    choices: toChoices(
      [
        ['1', 'May log in'],
        ['0', 'Disabled'],
        ['any', 'All'],
      ],
      active,
    ),
    previous: offset > 0 ? toPage(Math.max(0, offset - PAGE_ROWS)) : undefined,
    next: offset + PAGE_ROWS < total ? toPage(offset + PAGE_ROWS) : undefined,
  };
  const invite = mayOpen(context, '/admin/user/invite', 'POST');
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('People'),
    template: 'admin/people/search',
    data,
    actions: invite ? 'admin/people/search-actions' : undefined,
  });
}
