import * as z from 'zod';
import type { Listener } from '../../../core/bus/followers.ts';
import { UPLOAD_PATH } from '../../../model/field/file-type.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { notOwned, toInvalid } from '../errors.ts';
import { findOrphans } from '../orphans.ts';
import { needReach, UPLOADS } from '../stage.ts';

const DAY = 86_400;

const sum = () => z.object({ total: z.number(), bytes: z.number() });

const listenClean = (context: Context): Listener =>
  async function clean(request, response) {
    const reach = needReach(context, UPLOADS, 'remove', response);
    if (!reach) return;
    if (reach.rows !== undefined) return response.refuse(notOwned('Uploads'));
    const { files, database, clock } = context.services;
    const seconds = Number(request.getStage('older_seconds') ?? DAY);
    if (!Number.isFinite(seconds) || seconds < 0) {
      const message = 'older_seconds is a number of seconds from 0';
      return response.refuse(toInvalid({ older_seconds: message }));
    }
    const orphans = await findOrphans(files, database, clock.now() - seconds * 1000);
    const isTrial = request.getStage('dry_run') === true;
    for (const { name } of isTrial ? [] : orphans) await files.remove(UPLOAD_PATH + name);
    const drafts = await files.clearDrafts(isTrial);
    response.succeed({
      rows: orphans.map(({ name, bytes }) => ({ address: UPLOAD_PATH + name, bytes })),
      total: orphans.length,
      bytes: orphans.reduce((sum, { bytes }) => sum + bytes, 0),
      drafts,
    });
  };

export const systemUploadClean = defineRowEvent({
  name: 'system-upload-clean',
  description: 'Removes uploaded files that no row refers to, and half-written ones of killed servers.',
  keys: () => ({
    older_seconds: () =>
      z
        .union([z.number(), z.string()])
        .optional()
        .describe('Minimum age of a file in seconds; younger files stay. Default a day.'),
    dry_run: () => z.boolean().optional().describe('true only lists them.'),
  }),
  results: () =>
    sum()
      .extend({ rows: z.array(z.object({ address: z.string(), bytes: z.number() })), drafts: sum() })
      .describe(
        '`rows` with the address and the bytes of each, `total` and `bytes` of all; `drafts` with the same two of files that killed servers left half-written.',
      ),
  kind: 'writes',
  listen: listenClean,
});
