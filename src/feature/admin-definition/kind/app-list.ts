import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { readList } from '../../../page/emit-event.ts';
import type { Context } from '../../../plan/feature.ts';
import type { FormFacts } from './control.ts';
import { toPath } from './page.ts';
import { badge, code, type ListRow, type Piece, plain } from './piece.ts';

/** A list as texts; empty for anything else. */
export const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Scopes and web hooks of an app that wait for approval. */
const listWaiting = (row: Row | undefined): string[] => [...toTexts(row?.pending), ...toTexts(row?.pending_hooks)];

/** Every app with a row: of files, and registered in the browser. */
export const findAppRows = async (context: Context, more: Row = {}): Promise<readonly Row[]> =>
  (await readList(context, 'app-search', { ...more, any: true })).rows;

/** State of an app, as badges. @param row Undefined before the server has loaded its file. */
export function describeState(row: Row | undefined): Piece[] {
  const waiting = listWaiting(row);
  if (row === undefined) return [badge(translate('not loaded'), 't-badge-warning')];
  return [
    row.active === 1
      ? badge(translate('active'), 't-badge-success')
      : badge(row.stopped === 1 ? translate('stopped by its owner') : translate('suspended'), 't-badge-danger'),
    ...(row.public === 1 ? [badge(translate('public'))] : []),
    ...(waiting.length === 0
      ? []
      : [badge(translate('waits for approval of {names}', { names: waiting.join(', ') }), 't-badge-warning')]),
  ];
}

const toFrom = (file: string | undefined, row: Row | undefined): Piece[] => {
  if (file !== undefined) return [code(`config/app/${file}.json`)];
  return [plain(row?.name === null ? translate('browser') : translate('removed file'))];
};

function toRow(
  row: Row | undefined,
  about: { file?: string; title: string; clientId: string; scopes: string[] },
): ListRow {
  const { file, title, clientId, scopes } = about;
  return {
    href: toPath('app', 'detail', file ?? clientId),
    title,
    name: file ?? clientId,
    words: `${clientId} ${scopes.join(' ')}`,
    cells: [toFrom(file, row), describeState(row), scopes.map(code), [plain(String(row?.requests ?? 0))]],
  };
}

/** Apps of files and apps registered in the browser, in one list; those that wait for approval first. */
export async function listAppRows({ definitions }: FormFacts, context: Context) {
  const rows = await findAppRows(context);
  const byClient = new Map(rows.map((row) => [String(row.client_id), row] as const));
  const files = [...definitions.app].map(([file, { value }]) =>
    toRow(byClient.get(value.clientId), {
      file,
      title: value.title,
      clientId: value.clientId,
      scopes: value.scopes ?? [],
    }),
  );
  const known = new Set([...definitions.app.values()].map(({ value }) => value.clientId));
  const others = rows.filter((row) => !known.has(String(row.client_id)));
  const isWaiting = (row: Row): number => (listWaiting(row).length > 0 ? 0 : 1);
  const registered = [...others]
    .sort((a, b) => isWaiting(a) - isWaiting(b))
    .map((row) =>
      toRow(row, { title: String(row.title), clientId: String(row.client_id), scopes: toTexts(row.scopes) }),
    );
  const head = [
    translate('App'),
    translate('From'),
    translate('State'),
    translate('Scopes'),
    translate('Requests, 24 hours'),
  ];
  return {
    head,
    rows: [
      ...registered.filter((_, index) => isWaiting(others[index] as Row) === 0),
      ...files,
      ...registered.filter((_, index) => isWaiting(others[index] as Row) === 1),
    ],
  };
}
