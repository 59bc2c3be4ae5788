import * as z from 'zod';
import { translate } from '../../../core/text/translate.ts';
import { proposeRemoval } from '../../../edit/proposal.ts';
import { KIND_WORDS } from '../../../model/kind-words.ts';
import { toFile } from '../../../model/shape.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import { tick } from '../../../plan/event/value.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { toEditedProject } from '../edited.ts';
import {
  answerOutcome,
  findEditRefusal,
  findOwner,
  type OwnerKind,
  ownerStage,
  readOwnerName,
  savedResults,
} from '../owner.ts';
import { saveStage } from '../save-stage.ts';
import { readSubmission, submit } from '../submit.ts';

/** `system-schema-remove`, `system-fieldset-remove`. */
export const toRemoveEvent = (kind: OwnerKind): EventRecord =>
  defineEvent({
    name: `system-${kind}-remove`,
    description: `Removes the file of a ${kind}. Rows stay in the database unless their loss is allowed.`,
    kind: 'silent',
    stage: () =>
      ownerStage(kind, {
        cascade: tick('1 removes what refers to it too. Without it a reference is an error.'),
        mode: z
          .custom<'permanent'>()
          .meta({ enum: ['permanent'] })
          .optional()
          .describe('`permanent` drops the table too, with a copy kept.'),
        ...saveStage(),
      }),
    results: () => savedResults('The removed definition, and `outcome` with the files that were written.'),
    async run(stage, context, { response }) {
      const refusal = findEditRefusal(context, kind, 'remove');
      if (refusal) return refusal;
      const name = readOwnerName(kind, stage);
      const { definitions } = await readProject(context.services.root);
      const found = findOwner(definitions, { kind, name, response });
      if (found === undefined) return undefined;
      const submission = readSubmission(stage.mode === 'permanent' ? { ...stage, allow_loss: 1 } : stage);
      const file = toFile(kind, name);
      const outcome = await submit(context, {
        by: 'event',
        submission,
        title: translate('Removed {file}', { file }),
        file,
        propose: () =>
          proposeRemoval(toEditedProject(context.services), {
            definitions,
            target: { kind, name },
            words: `the ${KIND_WORDS[kind].one} "${name}"`,
            isCascade: stage.cascade,
          }),
      });
      return answerOutcome(response, outcome, found);
    },
  });
