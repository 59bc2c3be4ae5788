import type { RouteContribution } from '../../../plan/feature.ts';
import { createUndoRoute } from '../saves.ts';
import { postActive, postApproval, postRemoveRow, postSession, showApp } from './app-page.ts';
import { KINDS, type Kind } from './control.ts';
import { postTry, showCall, showScope } from './detail.ts';
import { openCopy, openCreate, openUpdate, postCreate, postUpdate } from './edit.ts';
import { showList } from './list.ts';
import { postAppRotate, postHookRotate, postRefresh } from './new-secret.ts';
import { createKindRoute } from './page.ts';
import { openRemove, openRename, postRemove, postRename } from './remove.ts';
import { openGenerate, postGenerate } from './rest-generate.ts';
import { postMatrix } from './role-data.ts';
import { showRole } from './role-page.ts';
import { openRule, postRule } from './role-rule.ts';
import { postReceiver, postReplay, postSecret, postTest, showHook } from './webhook-page.ts';

const MODEL = '/admin/system/model';

/** The pages that every kind has. */
function listShared(kind: Kind): RouteContribution[] {
  const base = `${MODEL}/${kind}`;
  const words = { rest: 'REST call', scope: 'scope', webhook: 'web hook', app: 'app', role: 'role' }[kind];
  return [
    createKindRoute('GET', `${base}/search`, `Lists the definitions: ${words}.`, showList(kind)),
    createKindRoute('GET', `${base}/create`, `The form of a new ${words}.`, openCreate(kind)),
    createKindRoute('POST', `${base}/create`, `Writes the file of a new ${words}.`, postCreate(kind)),
    createKindRoute('GET', `${base}/copy/:id`, `The form of a new ${words}, filled from another one.`, openCopy(kind)),
    createKindRoute('GET', `${base}/update/:id`, `The form that changes a ${words}.`, openUpdate(kind)),
    createKindRoute('POST', `${base}/update/:id`, `Changes the file of a ${words}.`, postUpdate(kind)),
    createKindRoute('GET', `${base}/rename/:id`, `The form that renames a ${words}.`, openRename(kind)),
    createKindRoute('POST', `${base}/rename/:id`, `Renames a ${words}, in every list that names it.`, postRename(kind)),
    createKindRoute('GET', `${base}/remove/:id`, `Asks whether to remove a ${words}.`, openRemove(kind)),
    createKindRoute('POST', `${base}/remove/:id`, `Removes the file of a ${words}.`, postRemove(kind)),
    createUndoRoute(base),
  ];
}

const rest: readonly RouteContribution[] = [
  createKindRoute('GET', `${MODEL}/rest/detail/:id`, 'A REST call with its stage, its answer and a try-out.', showCall),
  createKindRoute('POST', `${MODEL}/rest/try/:id`, 'Sends a REST call and shows the answer.', postTry),
  createKindRoute(
    'GET',
    `${MODEL}/rest/generate`,
    'The form that generates the usual calls of a schema.',
    openGenerate,
  ),
  createKindRoute('POST', `${MODEL}/rest/generate`, 'Writes the usual calls of a schema.', postGenerate),
];

const scope: readonly RouteContribution[] = [
  createKindRoute('GET', `${MODEL}/scope/detail/:id`, 'A scope with its calls and apps.', showScope),
];

const webhook: readonly RouteContribution[] = [
  createKindRoute(
    'GET',
    `${MODEL}/webhook/detail/:id`,
    'A web hook with its receivers and deliveries.',
    (context, exchange) => showHook(context, exchange),
  ),
  createKindRoute('POST', `${MODEL}/webhook/test/:id`, 'Sends a trial event of a web hook.', postTest),
  createKindRoute('POST', `${MODEL}/webhook/replay/:id`, 'Sends deliveries of a web hook again.', postReplay),
  createKindRoute(
    'POST',
    `${MODEL}/webhook/receiver/:id`,
    'Enables or disables a receiver of a web hook.',
    postReceiver,
  ),
  createKindRoute(
    'POST',
    `${MODEL}/webhook/secret/:id`,
    "Shows the signing secret of a web hook's own URL.",
    postSecret,
  ),
  createKindRoute('POST', `${MODEL}/webhook/rotate/:id`, 'Gives a web hook a new signing secret.', postHookRotate),
];

const app: readonly RouteContribution[] = [
  createKindRoute(
    'GET',
    `${MODEL}/app/detail/:id`,
    'An app with its approvals, sessions and requests.',
    (context, exchange) => showApp(context, exchange),
  ),
  createKindRoute('POST', `${MODEL}/app/approve/:id`, 'Approves scopes and web hooks of an app.', postApproval),
  createKindRoute(
    'POST',
    `${MODEL}/app/suspend/:id`,
    'Suspends an app that was registered in the browser.',
    postActive(false),
  ),
  createKindRoute(
    'POST',
    `${MODEL}/app/resume/:id`,
    'Resumes an app that was registered in the browser.',
    postActive(true),
  ),
  createKindRoute(
    'POST',
    `${MODEL}/app/refresh/:id`,
    'Gives an app a new client secret and shows it once.',
    postRefresh,
  ),
  createKindRoute(
    'POST',
    `${MODEL}/app/rotate/:id`,
    'Gives the web hooks of an app new signing secrets.',
    postAppRotate,
  ),
  createKindRoute('POST', `${MODEL}/app/session/:id`, 'Ends a session of an app, or all.', postSession),
  createKindRoute(
    'POST',
    `${MODEL}/app/remove-row/:id`,
    'Removes an app that was registered in the browser.',
    postRemoveRow,
  ),
];

const role: readonly RouteContribution[] = [
  createKindRoute(
    'GET',
    `${MODEL}/role/detail/:id`,
    'A role with its matrix of schemas and actions.',
    (context, exchange) => showRole(context, exchange),
  ),
  createKindRoute('POST', `${MODEL}/role/data/:id`, 'Changes what a role may do with rows.', postMatrix),
  createKindRoute(
    'GET',
    `${MODEL}/role/rule/:id/:schema/:action`,
    "The form of one cell of a role's matrix.",
    openRule,
  ),
  createKindRoute('POST', `${MODEL}/role/rule/:id/:schema/:action`, "Changes one cell of a role's matrix.", postRule),
];

/** Pages of REST calls, scopes, web hooks, apps and roles, beside those of the schemas' data. */
export const kindRoutes: readonly RouteContribution[] = [
  ...KINDS.flatMap(listShared),
  ...rest,
  ...scope,
  ...webhook,
  ...app,
  ...role,
];
