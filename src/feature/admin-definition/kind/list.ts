import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { renderSaves } from '../saves.ts';
import { findWriteRefusal } from '../write-right.ts';
import { listAppRows } from './app-list.ts';
import type { FormFacts, Kind } from './control.ts';
import { readFacts, showKind, TITLES, toBasePath, toPath } from './page.ts';
import { badge, code, type ListRow, type Piece, plain } from './piece.ts';
import { listRoleRows } from './role-list.ts';

interface KindList {
  readonly head: readonly string[];
  readonly rows: readonly ListRow[];
}

/** A definition of a file and one of the project's code, in one list. */
function listAll<D>(
  files: ReadonlyMap<string, { readonly value: D }>,
  coded: readonly { readonly name: string; readonly definition: D; readonly file: string }[],
): { name: string; definition: D; code?: string }[] {
  return [
    ...[...files].map(([name, { value }]) => ({ name, definition: value })),
    ...coded
      .filter(({ name }) => !files.has(name))
      .map(({ name, definition, file }) => ({ name, definition, code: file })),
  ];
}

const inCode = (file: string | undefined): Piece[] => (file === undefined ? [] : [badge(file)]);

function listCalls({ definitions, plan }: FormFacts): KindList {
  const scopesOf = (name: string): Piece[] =>
    [...definitions.scope].filter(([, { value }]) => value.calls.includes(name)).map(([slug]) => code(slug));
  const rows = listAll(definitions.rest, plan.calls).map(({ name, definition, code: file }): ListRow => {
    const { title, access, method, path, event, deprecated } = definition;
    const isOutside = access === 'user' && scopesOf(name).length === 0;
    return {
      href: toPath('rest', 'detail', name),
      title,
      name,
      words: `${path} ${event} ${access} ${method}`,
      cells: [
        [badge(access, access === 'public' ? '' : 't-badge-info')],
        [code(`${method.toUpperCase()} /rest${path}`)],
        file === undefined ? [code(event)] : inCode(file),
        [
          ...scopesOf(name),
          ...(isOutside ? [badge(translate('in no scope'), 't-badge-warning')] : []),
          ...(deprecated === undefined ? [] : [badge(translate('deprecated'), 't-badge-warning')]),
        ],
      ],
    };
  });
  const head = [translate('Call'), translate('Access'), translate('Address'), translate('Event'), translate('Scopes')];
  return { head, rows };
}

function listScopes({ definitions }: FormFacts): KindList {
  const rows = [...definitions.scope].map(([slug, { value }]): ListRow => {
    const apps = [...definitions.app].filter(([, app]) => app.value.scopes?.includes(slug)).map(([name]) => name);
    return {
      href: toPath('scope', 'detail', slug),
      title: value.name,
      name: slug,
      words: `${value.access} ${value.calls.join(' ')}`,
      cells: [
        [badge(value.access, 't-badge-info')],
        value.calls.map(code),
        value.approval === true ? [badge(translate('needs approval'), 't-badge-warning')] : [],
        apps.map(code),
      ],
    };
  });
  const head = [
    translate('Scope'),
    translate('Access'),
    translate('REST calls'),
    translate('Approval'),
    translate('Apps of files'),
  ];
  return { head, rows };
}

function listHooks({ definitions, plan }: FormFacts): KindList {
  const rows = listAll(definitions.webhook, plan.hooks).map(({ name, definition, code: file }): ListRow => {
    const { title, type, event, parameters = {}, url, audience = 'app', delivery = 'queued' } = definition;
    return {
      href: toPath('webhook', 'detail', name),
      title,
      name,
      words: `${type} ${event}`,
      cells: [
        [code(type)],
        [
          code(event),
          ...Object.entries(parameters).map(([key, value]) => plain(`${key}=${String(value)}`)),
          ...inCode(file),
        ],
        [badge(audience, 't-badge-info'), ...(delivery === 'inline' ? [badge(delivery, 't-badge-warning')] : [])],
        url === undefined ? [] : [code(url)],
      ],
    };
  });
  const head = [translate('Web hook'), translate('Type'), translate('Event'), translate('Audience'), translate('URL')];
  return { head, rows };
}

const LISTS: Readonly<Record<Kind, (facts: FormFacts, context: Context) => KindList | Promise<KindList>>> = {
  rest: listCalls,
  scope: listScopes,
  webhook: listHooks,
  app: listAppRows,
  role: listRoleRows,
};

const isFound = ({ title, name, words = '' }: ListRow, search: string): boolean => {
  const text = `${title} ${name} ${words}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

const toRowView = (head: readonly string[], { cells, ...row }: ListRow): Row => ({
  ...row,
  title: toLocalText(row.title),
  cells: cells.map((pieces, index) => ({
    label: head[index + 1],
    pieces: pieces.map((piece) => ({ ...piece, isBadge: piece.badge !== undefined })),
  })),
});

/** Shows the list of a kind, searched by words. */
export const showList =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const { head, rows } = await LISTS[kind](facts, context);
    const given = exchange.request.getGet('q');
    const search = typeof given === 'string' ? given.trim() : '';
    const found = search === '' ? rows : rows.filter((row) => isFound(row, search));
    const refusal = await findWriteRefusal(context, kind);
    const broken = [...facts.definitions.broken]
      .filter((name) => name.startsWith(`${kind}/`))
      .map((name) => `config/${name}.json`);
    showKind(context, exchange, {
      kind,
      name: 'list',
      title: translate(TITLES[kind]),
      actions: 'list-actions',
      data: {
        head,
        rows: found.map((row) => toRowView(head, row)),
        q: search,
        hasAny: rows.length > 0,
        total: found.length,
        broken,
        refusal,
        saves: await renderSaves(context, exchange, {
          base: toBasePath(kind),
          accepts: (file) => file.startsWith(`config/${kind}/`),
        }),
      },
    });
  };
