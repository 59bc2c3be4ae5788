import { getAccess } from '../../../core/access.ts';
import type { Request } from '../../../core/request/request.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { readActor } from '../actor.ts';
import { expectFile, recordFile, toText } from '../definition-file.ts';

const REFUSED = { status: 403, message: 'Only Treadle records changes of definitions.' } as const;
const isRefused = (request: Request): boolean => getAccess().kind === 'none' || request.callFacts !== undefined;

const FILE = 'The file, such as `config/schema/article.json`.';
const AFTER = 'Its text now; absent if it is removed.';

export const historyDefinition: EventContribution = {
  name: 'history-definition',
  description: 'Records that a definition file changed. For code that saves definitions.',
  stage: {
    file: FILE,
    before: 'Its text before; absent if it is new.',
    after: AFTER,
    title: 'What was done, in words. Optional.',
  },
  results: 'None.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { plan, services } = context;
    if (isRefused(request)) return response.refuse(REFUSED);
    if (plan.model.settings.history.days === 0) return response.succeed({});
    const [before, after] = [toText(request.getStage('before')), toText(request.getStage('after'))];
    const file = String(request.getStage('file') ?? '');
    const told = { ...readActor(), title: toText(request.getStage('title')) };
    await services.database.write(() => recordFile(services, { file, before, after }, told));
    response.succeed({});
  },
};

export const historyDefinitionExpect: EventContribution = {
  name: 'history-definition-expect',
  description:
    'Announces that a definition file is about to be written. Without it, a server that loads the file before `history-definition` records it as changed by somebody else.',
  stage: { file: FILE, after: AFTER },
  results: 'None.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { plan, services } = context;
    if (isRefused(request)) return response.refuse(REFUSED);
    const file = String(request.getStage('file') ?? '');
    if (plan.model.settings.history.days > 0) await expectFile(services, file, toText(request.getStage('after')));
    response.succeed({});
  },
};
