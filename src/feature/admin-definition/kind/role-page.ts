import { isNeverGuarded } from '../../../access/guard.ts';
import { ACTIONS } from '../../../core/access.ts';
import { isVariable } from '../../../core/bus/pattern.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toLabelText } from '../../../model/names.ts';
import { ADMIN, isBuiltIn } from '../../../model/role/role.ts';
import { type Role, toFile } from '../../../model/shape.ts';
import { emitOr404 } from '../../../page/emit-event.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { toState } from '../save.ts';
import { findWriteRefusal } from '../write-right.ts';
import type { FormFacts } from './control.ts';
import { findNamed, readFacts, showKind } from './page.ts';
import type { FormValues } from './read-form.ts';
import { toBuiltIn } from './role-list.ts';
import { toMatrix } from './role-matrix.ts';
import { readSourceView } from './source-view.ts';

/** Routes that a permission's page shows. */
const MOST_ROUTES = 12;
/** People that a role's page shows. */
const MOST_PEOPLE = 25;

/** The role of a path: of a file, or a built-in one without a file. */
export function findRole(context: Context, exchange: Exchange, facts: FormFacts): Role | undefined {
  const slug = exchange.request.getParameters('id') ?? '';
  const file = facts.definitions.role.get(slug)?.value;
  if (file !== undefined) return file;
  if (isBuiltIn(slug)) return { slug, name: toLabelText(slug), permissions: [] };
  findNamed(context, exchange, facts, 'role');
  return undefined;
}

/** Whether a path exists that both patterns match. */
function canMeet(a: string, b: string): boolean {
  const [left, right] = [a, b].map((path) => path.toLowerCase().split('/').slice(1)) as [string[], string[]];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]];
    if (one === '**' || other === '**') return true;
    if (one === undefined || other === undefined) return false;
    if (one !== other && !isVariable(one) && !isVariable(other)) return false;
  }
  return true;
}

/** The routes that a permission matches. */
function describePermission({ plan }: Context, { method, path }: Role['permissions'][number]): Row {
  const routes = plan.bus
    .list()
    .map(({ event }) => /^([A-Z]+) (\/.*)$/.exec(event))
    .flatMap((found) => (found === null ? [] : [{ method: String(found[1]), path: String(found[2]) }]))
    .filter((route) => canMeet(path, route.path))
    .filter((route) => method === 'all' || route.method === 'ALL' || route.method.toLowerCase() === method)
    .map((route) => `${route.method} ${route.path}`);
  const all = [...new Set(routes)];
  return {
    method,
    path,
    count: all.length,
    routes: all.slice(0, MOST_ROUTES),
    more: Math.max(0, all.length - MOST_ROUTES),
    isNever: isNeverGuarded(path.replaceAll('*', 'x')),
  };
}

async function findHolders(context: Context, slug: string): Promise<Row> {
  const found = await emitOr404(context, 'auth-search', {
    role: slug,
    limit: MOST_PEOPLE,
    filter: { auth_active: 'any' },
  });
  const rows = found.getResults('rows');
  return {
    holders: (Array.isArray(rows) ? (rows as Row[]) : []).map((row) => ({
      email: row.auth_slug,
      name: row.profile_name,
      isOff: row.auth_active !== 1,
    })),
    holderTotal: found.getResults('total') ?? 0,
  };
}

/** Shows a role: what it opens, the matrix of what it may do with rows, and who holds it. @param posted Of the matrix. */
export async function showRole(
  context: Context,
  exchange: Exchange,
  more: Row & { posted?: FormValues } = {},
): Promise<void> {
  const facts = await readFacts(context);
  const role = findRole(context, exchange, facts);
  if (role === undefined) return;
  const { slug } = role;
  const { posted, ...data } = more;
  const isFile = facts.definitions.role.has(slug);
  const own = slug === ADMIN ? [{ method: 'all' as const, path: '/admin/**' }] : [];
  const isHeld = slug === ADMIN || !isBuiltIn(slug);
  showKind(context, exchange, {
    kind: 'role',
    name: 'role-detail',
    title: role.name,
    ...(isFile ? { actions: 'detail-actions' } : {}),
    data: {
      ...(await readSourceView(context, exchange, facts, { kind: 'role', name: slug })),
      id: slug,
      isFile,
      file: toFile('role', slug),
      built: toBuiltIn(slug),
      needsFactor: role.secondFactor === 'required',
      permissions: [...own, ...role.permissions].map((permission) => describePermission(context, permission)),
      actionNames: ACTIONS,
      isAdmin: slug === ADMIN,
      matrix: toMatrix(facts.definitions, slug, role.data ?? {}, posted),
      state: toState(facts.definitions.role.get(slug)?.text),
      ...(isHeld ? await findHolders(context, slug) : { isImplicit: true }),
      isHeld,
      refusal: await findWriteRefusal(context),
      noSchemas: translate('There are no schemas yet.'),
      ...data,
    },
  });
}
