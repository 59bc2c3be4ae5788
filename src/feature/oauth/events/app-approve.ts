import type { EventContribution } from '../../../plan/feature.ts';
import { findAnyApp } from '../any-app.ts';
import { refuse, succeed } from '../errors.ts';
import { findPending } from '../held-scopes.ts';
import { updateApp } from '../sql.ts';

const readSlugs = (value: unknown): string[] =>
  [value]
    .flat()
    .flatMap((item) => (typeof item === 'string' ? item.split(/[\s,]+/) : []))
    .filter((slug) => slug !== '');

export const appApprove: EventContribution = {
  event: 'app-approve',
  description: 'Lets an app that was registered in the browser use scopes that need approval; for an admin.',
  stage: {
    app_id: 'The app, or instead:',
    client_id: 'Its client id.',
    scopes: 'Slugs; without any, all that it waits for.',
    revoke: '`1` takes the approval back; tokens lose those scopes at once.',
  },
  results: '`app_id`, `client_id`, `approved`, `pending`.',
  commits: 'self',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const app = await findAnyApp(context, request, response);
    if (!app) return;
    const named = readSlugs(request.getStage('scopes'));
    const isTakingBack = ['1', 1, true].includes(request.getStage('revoke') as string);
    const odd = named.find((slug) => context.plan.model.scopes.get(slug)?.definition.approval !== true);
    if (odd !== undefined) {
      return refuse(response, { status: 422, message: `The scope "${odd}" needs no approval, or is not defined.` });
    }
    const given = named.length > 0 ? named : isTakingBack ? app.approved : findPending(context, app);
    const approved = isTakingBack
      ? app.approved.filter((slug) => !given.includes(slug))
      : [...new Set([...app.approved, ...given])];
    await database.write(() => updateApp(database, app.appId, { approved: JSON.stringify(approved) }));
    succeed(response, {
      app_id: app.appId,
      client_id: app.clientId,
      approved,
      pending: findPending(context, { ...app, approved }),
    });
  },
};
