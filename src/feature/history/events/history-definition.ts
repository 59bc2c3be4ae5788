import * as z from 'zod';
import { getAccess } from '../../../core/access.ts';
import type { Request } from '../../../core/request/request.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { anything } from '../../../plan/event/value.ts';
import { readActor } from '../actor.ts';
import { expectFile, recordFile, toText } from '../definition-file.ts';

const REFUSED = {
  status: 403,
  code: 'EVENT_NOT_BY_REQUEST',
  message: 'Only Treadle records changes of definitions.',
} as const;
const isRefused = (request: Request): boolean => getAccess().kind === 'none' || request.callFacts !== undefined;

const stage = () => ({
  file: z.coerce.string<string>().describe('The file, such as `config/schema/article.json`.'),
  after: anything('Its text now; absent if it is removed.'),
});

export const historyDefinition = defineEvent({
  name: 'history-definition',
  description: 'Records that a definition file changed. For code that saves definitions.',
  kind: 'silent',
  stage: () => {
    const { file, after } = stage();
    return z.object({
      file,
      before: anything('Its text before; absent if it is new.'),
      after,
      title: anything('What was done, in words. Optional.'),
    });
  },
  results: () => z.object({}).describe('None.'),
  async run({ file, before, after, title }, { plan, services }, { request }) {
    if (isRefused(request)) return reject(REFUSED);
    if (plan.model.settings.history.days === 0) return {};
    const texts = { file, before: toText(before), after: toText(after) };
    await services.database.write(() => recordFile(services, texts, { ...readActor(), title: toText(title) }));
    return {};
  },
});

export const historyDefinitionExpect = defineEvent({
  name: 'history-definition-expect',
  description:
    'Announces that a definition file is about to be written. Without it, a server that loads the file before `history-definition` records it as changed by somebody else.',
  kind: 'silent',
  stage: () => z.object(stage()),
  results: () => z.object({}).describe('None.'),
  async run({ file, after }, { plan, services }, { request }) {
    if (isRefused(request)) return reject(REFUSED);
    if (plan.model.settings.history.days > 0) await expectFile(services, file, toText(after));
    return {};
  },
});
