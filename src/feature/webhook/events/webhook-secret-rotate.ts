import * as z from 'zod';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { nullableLookupId, text } from '../../../plan/event/value.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import type { FindOutbox } from '../delivery/outbox.ts';
import { NO_RECEIVER } from '../errors.ts';
import { rotateApp } from '../receiver/receiver-sql.ts';

interface Rotation {
  readonly app_id: number;
  readonly client_id: string;
  readonly secret_version: number;
}

export const webhookSecretRotate = (findOutbox: FindOutbox): EventRecord =>
  defineEvent({
    name: 'webhook-secret-rotate',
    description:
      'Gives an app that was registered in the browser new signing secrets. Old and new both sign for 24 hours.',
    kind: 'writes',
    stage: () =>
      z.object({
        app_id: nullableLookupId('The app, or use `client_id`.'),
        client_id: text('Its client id.'),
        owner: nullableLookupId('Only an app of this account (`auth_id`).'),
      }),
    results: () =>
      z
        .object({ app_id: z.number(), client_id: z.string(), secret_version: z.number() })
        .describe('`app_id`, `client_id`, `secret_version`.'),
    async run(stage, context) {
      if (!context.plan.bus.hasListener('webhook-app-rotate')) return reject(NO_RECEIVER);
      const rotation = new Response();
      await context.emit('webhook-app-rotate', new Request().setStage(stage), rotation);
      if (rotation.isError()) {
        const message = rotation.getMessage() ?? 'The app could not be changed.';
        return reject({ status: rotation.getStatus(), code: rotation.refusal?.code, message });
      }
      const results = rotation.getResults<Rotation>();
      // The day of two signatures starts now, not with the next event.
      const { client_id: clientId, secret_version: version } = results;
      const { database } = context.services;
      await database.write(() => rotateApp(database, clientId, version, findOutbox(context).now()));
      return results;
    },
  });
