import { translate } from '../../../core/text/translate.ts';
import { toFile } from '../../../model/shape.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import { answerOutcome, findEditRefusal, type OwnerKind, ownerStage, readOwnerName, savedResults } from '../owner.ts';
import { saveStage } from '../save-stage.ts';
import { proposeValues, readSubmission, submit } from '../submit.ts';
import { listRemoved } from '../undo.ts';

/** `system-schema-restore`, `system-fieldset-restore`. */
export const toRestoreEvent = (kind: OwnerKind): EventRecord =>
  defineEvent({
    name: `system-${kind}-restore`,
    description: `Writes the file of a ${kind} again that the admin section removed.`,
    kind: 'silent',
    stage: () => ownerStage(kind, saveStage()),
    results: () => savedResults('The definition, and `outcome` with the files that were written.'),
    async run(stage, context, { response }) {
      const refusal = findEditRefusal(context, kind, 'restore');
      if (refusal) return refusal;
      const name = readOwnerName(kind, stage);
      const found = (await listRemoved(context, kind)).find((each) => each.name === name);
      if (found === undefined)
        return reject({ status: 404, code: 'DEFINITION_MISSING', message: translate('Not Found') });
      const { value, text } = found;
      // Linked as a new definition, and written as it was.
      const propose = async () => {
        const { files, left } = await proposeValues(context, [{ kind, name, value }]);
        return { files: files.map((each) => ({ ...each, text })), left };
      };
      const outcome = await submit(context, {
        by: 'event',
        submission: readSubmission(stage),
        title: translate('Restored {file}', { file: toFile(kind, name) }),
        propose,
      });
      return answerOutcome(response, outcome, value);
    },
  });
