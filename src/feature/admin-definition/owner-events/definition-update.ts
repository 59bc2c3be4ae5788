import * as z from 'zod';
import { translate } from '../../../core/text/translate.ts';
import { toFile } from '../../../model/shape.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import { anything } from '../../../plan/event/value.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import {
  answerOutcome,
  findEditRefusal,
  findOwner,
  type OwnerKind,
  ownerStage,
  pickDefinition,
  readOwnerName,
  savedResults,
} from '../owner.ts';
import { saveStage } from '../save-stage.ts';
import { proposeValues, readSubmission, submit } from '../submit.ts';

/** The definition with the given keys; null takes a key away. */
function merge(value: object, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged = { ...value, ...given };
  return Object.fromEntries(Object.entries(merged).filter(([, part]) => part !== null && part !== undefined));
}

/** `system-schema-update`, `system-fieldset-update`. */
export const toUpdateEvent = (kind: OwnerKind): EventRecord =>
  defineEvent({
    name: `system-${kind}-update`,
    description: `Changes the file of a ${kind}, and serves it.`,
    kind: 'silent',
    stage: () =>
      ownerStage(kind, {
        '…': anything(`Keys of the ${kind} that change; null takes a key away.`),
        base: z
          .custom<string>()
          .meta({ type: 'string' })
          .optional()
          .describe('SHA-256 (base64url) of the text that was edited: another text on disk is a conflict, 409.'),
        ...saveStage(),
      }),
    results: () => savedResults('The definition, and `outcome` with the files that were written.'),
    async run(stage, context, { response }) {
      const refusal = findEditRefusal(context, kind, 'update');
      if (refusal) return refusal;
      const name = readOwnerName(kind, stage);
      const { definitions } = await readProject(context.services.root);
      const found = findOwner(definitions, { kind, name, response });
      if (found === undefined) return undefined;
      const value = { ...merge(found, pickDefinition(kind, stage)), name };
      const file = toFile(kind, name);
      const outcome = await submit(context, {
        by: 'event',
        submission: readSubmission(stage),
        title: translate('Changed {file}', { file }),
        file,
        propose: () => proposeValues(context, [{ kind, name, value }]),
      });
      return answerOutcome(response, outcome, value);
    },
  });
