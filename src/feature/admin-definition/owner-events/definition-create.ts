import { translate } from '../../../core/text/translate.ts';
import { hasDefinition } from '../../../model/definitions.ts';
import { toLabelText, toPlural } from '../../../model/names.ts';
import { toFile } from '../../../model/shape.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { anything } from '../../../plan/event/value.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import {
  answerOutcome,
  findEditRefusal,
  type OwnerKind,
  ownerStage,
  pickDefinition,
  readOwnerName,
  savedResults,
} from '../owner.ts';
import { saveStage } from '../save-stage.ts';
import { proposeValues, readSubmission, submit } from '../submit.ts';

/** `system-schema-create`, `system-fieldset-create`. */
export const toCreateEvent = (kind: OwnerKind): EventRecord =>
  defineEvent({
    name: `system-${kind}-create`,
    description: `Writes the file of a new ${kind}, and serves it.`,
    kind: 'silent',
    stage: () =>
      ownerStage(kind, { fields: anything('Its fields.'), '…': anything(`Other keys of a ${kind}.`), ...saveStage() }),
    results: () => savedResults('The definition, and `outcome` with the files that were written.'),
    async run(stage, context, { response }) {
      const refusal = findEditRefusal(context, kind, 'create');
      if (refusal) return refusal;
      const name = readOwnerName(kind, stage);
      const { definitions } = await readProject(context.services.root);
      if (hasDefinition(definitions, kind, name)) {
        const message = translate('{file} already exists.', { file: toFile(kind, name) });
        return reject({ status: 409, code: 'DEFINITION_THERE', message, validation: { name: message } });
      }
      const given = pickDefinition(kind, stage);
      const singular = typeof given.singular === 'string' && given.singular !== '' ? given.singular : toLabelText(name);
      const plural = typeof given.plural === 'string' && given.plural !== '' ? given.plural : toPlural(singular);
      const value = { ...given, name, singular, plural };
      const outcome = await submit(context, {
        by: 'event',
        submission: readSubmission(stage),
        title: translate('Created {file}', { file: toFile(kind, name) }),
        propose: () => proposeValues(context, [{ kind, name, value }]),
      });
      return answerOutcome(response, outcome, value);
    },
  });
