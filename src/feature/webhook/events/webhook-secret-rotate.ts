import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import type { FindOutbox } from '../delivery/outbox.ts';
import { NO_RECEIVER } from '../errors.ts';
import { rotateApp } from '../receiver/receiver-sql.ts';

export const webhookSecretRotate = (findOutbox: FindOutbox): EventContribution => ({
  name: 'webhook-secret-rotate',
  description:
    'Gives an app that was registered in the browser new signing secrets. Old and new both sign for 24 hours.',
  stage: {
    app_id: 'The app, or use `client_id`.',
    client_id: 'Its client id.',
    owner: 'Only an app of this account (`auth_id`).',
  },
  results: '`app_id`, `client_id`, `secret_version`.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    if (!context.plan.bus.hasListener('webhook-app-rotate')) return response.refuse(NO_RECEIVER);
    const rotation = new Response();
    await context.emit('webhook-app-rotate', new Request().setStage(request.getStage()), rotation);
    if (rotation.isError()) {
      const message = rotation.getMessage() ?? 'The app could not be changed.';
      return response.refuse({ status: rotation.getStatus(), message });
    }
    const results = rotation.getResults();
    // The day of two signatures starts now, not with the next event.
    const { client_id: clientId, secret_version: version } = results as { client_id: string; secret_version: number };
    const { database } = context.services;
    await database.write(() => rotateApp(database, clientId, version, findOutbox(context).now()));
    response.setError(false).setResults(results);
  },
});
