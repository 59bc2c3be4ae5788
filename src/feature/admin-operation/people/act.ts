import { requireProof } from '../../../access/proof.ts';
import { asSystem } from '../../../core/access.ts';
import { findOwn } from '../../../core/record.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import { emitAndLead, readText } from '../../../page/list-page.ts';
import type { Context } from '../../../plan/feature.ts';
import { findHindrance, listGivable, openPerson, type Person } from './person.ts';

/** Why an action is refused; undefined if it is not. */
type RefusalReason = (person: Person, post: (name: string) => string, context: Context) => string | undefined;

interface Action {
  readonly event: string;
  readonly stage?: (person: Person, post: (name: string) => string) => Row;
  /** What the next page says. */
  readonly done: (email: string) => string;
  readonly refuse?: RefusalReason;
  /** Whether the password is asked for again. Default true. */
  readonly isDangerous?: boolean;
}

const notMe = ({ isMe }: Person): string | undefined =>
  isMe ? translate('You cannot do this to your own account here.') : undefined;

/** A role that the viewer may not give or take. */
const notGivable = (name: 'add' | 'remove'): RefusalReason =>
  function refuse(person, post, context) {
    const role = post('role');
    if (name === 'remove' && person.isMe && role === 'admin') return notMe(person);
    const isOpen =
      listGivable(context).includes(role) ||
      (name === 'remove' && !context.plan.model.roles.has(role) && role !== 'admin');
    return isOpen ? undefined : translate('You cannot give or take the role {role}.', { role });
  };

/** What a page does to an account, by the last word of the form's path. */
const ACTIONS: Readonly<Record<string, Action>> = {
  verify: {
    event: 'auth-verify',
    done: (email) => translate('{email} counts as confirmed.', { email }),
  },
  enable: { event: 'auth-restore', done: (email) => translate('{email} can log in again.', { email }) },
  disable: {
    event: 'auth-remove',
    stage: () => ({ keeps_administrator: true }),
    refuse: notMe,
    done: (email) => translate('{email} can no longer log in. All sessions and tokens have ended.', { email }),
  },
  password: {
    event: 'auth-forgot',
    stage: ({ email }) => ({ auth_slug: email }),
    done: (email) => translate('A link to choose a new password is mailed to {email}.', { email }),
    isDangerous: false,
  },
  'role-add': {
    event: 'auth-role',
    stage: (_, post) => ({ add: post('role') }),
    refuse: notGivable('add'),
    done: (email) => translate('The roles of {email} are changed.', { email }),
  },
  'role-remove': {
    event: 'auth-role',
    stage: (_, post) => ({ remove: post('role'), keeps_administrator: true }),
    refuse: notGivable('remove'),
    done: (email) => translate('The roles of {email} are changed.', { email }),
  },
  'second-factor-remove': {
    event: 'auth-second-factor-remove',
    done: (email) => translate('{email} logs in with the password alone, and was told by mail.', { email }),
  },
  language: {
    event: 'auth-update',
    stage: (_, post) => ({ auth_language: post('auth_language') }),
    done: (email) => translate('The language of {email} is changed.', { email }),
    isDangerous: false,
  },
  'session-end': {
    event: 'auth-session-end',
    stage: (_, post) => (post('session') === '' ? {} : { session: post('session') }),
    done: () => translate('The session has ended.'),
    isDangerous: false,
  },
  'grant-remove': {
    event: 'grant-remove',
    stage: (_, post) => ({ app_id: post('app_id') }),
    done: () => translate('The app can no longer act for this account.'),
    isDangerous: false,
  },
};

/** Does what a form of a person's page asks for, as the system: the role that opens the path allows it. */
export async function postAction(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const action = findOwn(ACTIONS, readText(request.getStage('action')));
  const person = await openPerson(context, exchange);
  if (!person || !action) return void response.setStatus(404);
  const path = `/admin/user/detail/${person.id}`;
  const post = (name: string): string => readText(request.getPost(name));
  const refusal = findHindrance(person) ?? action.refuse?.(person, post, context);
  if (refusal !== undefined) {
    flash(exchange, refusal, 'error');
    response.setRedirect(path);
    return;
  }
  if (action.isDangerous !== false && !requireProof(context, exchange, path)) return;
  const stage = { auth_id: person.id, ...action.stage?.(person, post) };
  await asSystem(() =>
    emitAndLead(context, exchange, { event: action.event, stage, path, done: () => action.done(person.email) }),
  );
}
