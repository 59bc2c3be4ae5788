import { asSystem } from '../../../core/access.ts';
import { secondsToStamp } from '../../../core/clock.ts';
import { currentLocale, toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { readResults } from '../../../page/emit-event.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { mayOpen } from '../../../page/guard.ts';
import type { Context } from '../../../plan/feature.ts';
import { findHindrance, listGivable, openPerson, type Person } from './person.ts';

const read = async (context: Context, event: string, { id }: Person): Promise<Row> =>
  (await asSystem(() => readResults(context, event, { auth_id: id }))) ?? {};

const toGrant = (row: Row): Row => ({
  ...row,
  granted: secondsToStamp(row.granted_at),
  used: secondsToStamp(row.used_at),
});

function listRoleRows(context: Context, { roles, isMe }: Person) {
  const givable = listGivable(context);
  const toRow = (slug: string) => ({
    slug,
    name: toLocalText(context.plan.model.roles.get(slug)?.name ?? slug),
    // Nobody takes the role admin from themselves by mistake.
    isTakable: givable.includes(slug) && !(isMe && slug === 'admin'),
  });
  return { roles: roles.map(toRow), free: givable.filter((slug) => !roles.includes(slug)).map(toRow) };
}

/** The languages of the site to choose from; empty if there is only one. */
function listLanguages({ row }: Person): Row[] {
  const { offered = [] } = currentLocale() ?? {};
  if (offered.length < 2) return [];
  return offered.map(({ tag, name }) => ({ tag, name, isChosen: tag === row.auth_language }));
}

/** Shows an account: what it may do, how it logs in, where it is logged in, and which apps act for it. */
export async function showPerson(context: Context, exchange: Exchange): Promise<void> {
  const person = await openPerson(context, exchange);
  if (!person) return;
  const { id, name, row } = person;
  const [factors, sessions, grants] = await Promise.all([
    read(context, 'auth-second-factor-search', person),
    read(context, 'auth-session-search', person),
    read(context, 'grant-search', person),
  ]);
  const profile = `/admin/system/model/profile/detail/${row.profile_id}`;
  const languages = listLanguages(person);
  const hindrance = findHindrance(person);
  const mayDisable = person.isActive && !person.isMe;
  const data = {
    ...person,
    ...listRoleRows(context, person),
    base: '/admin/user',
    created: row.auth_created,
    hindrance,
    mayChange: hindrance === undefined && mayOpen(context, `/admin/user/disable/${id}`, 'POST'),
    hasMail: context.services.mailer.way !== 'none',
    profile: mayOpen(context, profile) ? profile : undefined,
    history: mayOpen(context, '/admin/history') ? `/admin/history?person=${id}` : undefined,
    languages,
    language: languages.find(({ isChosen }) => isChosen)?.name,
    mayDisable,
    hasDanger: mayDisable || [factors.rows, sessions.rows].some((rows) => ((rows ?? []) as readonly Row[]).length > 0),
    factors: factors.rows ?? [],
    hasFactor: String(row.auth_second_factor ?? '') !== '',
    sessions: sessions.rows ?? [],
    grants: ((grants.rows ?? []) as readonly Row[]).map(toGrant),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: name,
    template: 'admin/people/detail',
    data,
    crumbs: [{ label: translate('People'), path: '/admin/user/search' }],
    current: '/admin/user',
    styles: ['form'],
  });
}
