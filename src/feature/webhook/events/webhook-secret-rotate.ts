import { Request } from '../../../core/request.ts';
import { Response } from '../../../core/response.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { NO_RECEIVER } from '../errors.ts';
import { findReceiverRows } from '../log-sql.ts';
import type { FindOutbox, Outbox } from '../outbox.ts';
import { findKnown } from '../receiver-state.ts';
import { touchReceiver } from '../sql.ts';

/** The day of two signatures starts now, not with the next event. */
async function noteRotation(outbox: Outbox, appId: unknown): Promise<void> {
  const { context } = outbox;
  const { database } = context.services;
  const known = await findKnown(context, new Request().setStage({ app_id: appId }));
  const keys = known.map(({ key }) => key);
  const rows = await findReceiverRows(context, keys);
  await database.write(async () => {
    for (const receiver of known.filter(({ key }) => rows.has(key))) {
      const version = outbox.hooks.get(receiver.hook)?.definition.secretVersion ?? 1;
      await touchReceiver(database, { ...receiver, version }, outbox.now());
    }
  });
}

export const webhookSecretRotate = (findOutbox: FindOutbox): EventContribution => ({
  event: 'webhook-secret-rotate',
  description:
    'Gives an app that was registered in the browser new signing secrets. Old and new both sign for 24 hours.',
  stage: {
    app_id: 'The app, or use `client_id`.',
    client_id: 'Its client id.',
    owner: 'Only an app of this account (`auth_id`).',
  },
  results: '`app_id`, `client_id`, `secret_version`.',
  listen: (context) => async (request, response) => {
    if (!context.plan.bus.hears('webhook-app-rotate')) return response.refuse(NO_RECEIVER);
    const asked = new Response();
    await context.emit('webhook-app-rotate', new Request().setStage(request.getStage()), asked);
    if (asked.isError()) {
      const message = asked.getMessage() ?? 'The app could not be changed.';
      return response.refuse({ status: asked.getStatus(), message });
    }
    const results = asked.getResults();
    await noteRotation(findOutbox(context), asked.getResults('app_id'));
    response.setError(false).setResults(results);
  },
});
