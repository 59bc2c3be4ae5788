import { translate } from '../../../core/text/translate.ts';
import { toFile } from '../../../model/shape.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { answerOutcome, mayEdit, type OwnerKind, readOwnerName } from '../owner.ts';
import { SAVE_STAGE } from '../stage-docs.ts';
import { proposeValues, readSubmission, submit } from '../submit.ts';
import { listRemoved } from '../undo.ts';

/** `system-schema-restore`, `system-fieldset-restore`. */
export const toRestoreEvent = (kind: OwnerKind): EventContribution => ({
  name: `system-${kind}-restore`,
  description: `Writes the file of a ${kind} again that the admin section removed.`,
  stage: { name: `Name of the ${kind}.`, ...SAVE_STAGE },
  results: 'The definition, and `outcome` with the files that were written.',
  kind: 'silent',
  listen: (context) =>
    async function restore(request, response) {
      if (!mayEdit(context, { kind, verb: 'restore', response })) return;
      const stage = request.getStage() as Record<string, unknown>;
      const name = readOwnerName(kind, stage);
      const found = (await listRemoved(context, kind)).find((each) => each.name === name);
      if (found === undefined) return response.refuse({ status: 404, message: translate('Not Found') });
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
      answerOutcome(response, outcome, value as object);
    },
});
