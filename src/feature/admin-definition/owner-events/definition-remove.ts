import { translate } from '../../../core/text/translate.ts';
import { proposeRemoval } from '../../../edit/proposal.ts';
import { KIND_WORDS } from '../../../model/kind-words.ts';
import { toFile } from '../../../model/shape.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { toEditedProject } from '../edited.ts';
import { answerOutcome, findOwner, mayEdit, type OwnerKind, readOwnerName } from '../owner.ts';
import { SAVE_STAGE } from '../stage-docs.ts';
import { isTicked, readSubmission, submit } from '../submit.ts';

/** `system-schema-remove`, `system-fieldset-remove`. */
export const toRemoveEvent = (kind: OwnerKind): EventContribution => ({
  name: `system-${kind}-remove`,
  description: `Removes the file of a ${kind}. Rows stay in the database unless their loss is allowed.`,
  stage: {
    name: `Name of the ${kind}.`,
    cascade: '1 removes what refers to it too. Without it a reference is an error.',
    mode: '`permanent` drops the table too, with a copy kept.',
    ...SAVE_STAGE,
  },
  results: 'The removed definition, and `outcome` with the files that were written.',
  kind: 'silent',
  listen: (context) =>
    async function remove(request, response) {
      if (!mayEdit(context, { kind, verb: 'remove', response })) return;
      const stage = request.getStage() as Record<string, unknown>;
      const name = readOwnerName(kind, stage);
      const { definitions } = await readProject(context.services.root);
      const found = findOwner(definitions, { kind, name, response });
      if (found === undefined) return;
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
            isCascade: isTicked(stage.cascade),
          }),
      });
      answerOutcome(response, outcome, found);
    },
});
