import { requireProof } from '../../../access/proof.ts';
import { asSystem } from '../../../core/access.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { listSignupColumns } from '../../../model/role/signup-columns.ts';
import { emitEvent } from '../../../page/emit-event.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { readText } from '../../../page/list-page.ts';
import type { Context } from '../../../plan/feature.ts';
import { listGivable } from './person.ts';

const NAMES = ['auth_slug', 'profile_name', 'auth_type'] as const;

interface InviteView {
  readonly values?: Row;
  readonly errors?: Row;
  readonly message?: string;
}

function show(context: Context, exchange: Exchange, { values = {}, errors = {}, message }: InviteView = {}): void {
  const { services, plan } = context;
  const data = {
    values,
    errors,
    message,
    hasMail: services.mailer.way !== 'none',
    // A profile with other required columns is made by `treadle user create --set`.
    missing: listSignupColumns(plan.model).map(({ label }) => toLocalText(label)),
    roles: listGivable(context).map((slug) => ({
      slug,
      name: toLocalText(plan.model.roles.get(slug)?.name ?? slug),
      isChosen: slug === values.auth_type,
    })),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Invite a person'),
    template: 'admin/people/invite',
    data,
    crumbs: [{ label: translate('People'), path: '/admin/user/search' }],
    current: '/admin/user',
  });
}

/** The form that invites a person. */
export const showInvite = async (context: Context, exchange: Exchange): Promise<void> => show(context, exchange);

/** Makes the account and mails the link by which the person chooses a password. */
export async function postInvite(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const values = Object.fromEntries(NAMES.map((name) => [name, readText(request.getPost(name))]));
  const role = values.auth_type ?? '';
  if (role !== '' && !listGivable(context).includes(role)) {
    response.setStatus(422);
    const message = translate('You cannot give or take the role {role}.', { role });
    return show(context, exchange, { values, errors: { auth_type: message }, message });
  }
  if (!requireProof(context, exchange, '/admin/user/invite')) return;
  const answer = await asSystem(() => emitEvent(context, 'auth-invite', values));
  if (answer === undefined || answer.isError()) {
    const status = answer?.getStatus() ?? 422;
    response.setStatus(status >= 400 ? status : 422);
    const message = answer?.getMessage() ?? translate('That did not work.');
    return show(context, exchange, { values, errors: (answer?.getValidation() ?? {}) as Row, message });
  }
  flash(exchange, translate('{email} is invited by mail.', { email: String(values.auth_slug) }));
  response.setRedirect(`/admin/user/detail/${answer.getResults('auth_id')}`);
}
