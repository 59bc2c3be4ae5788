import type { CompiledPlan } from '../../plan/compile.ts';
import { compilePlan, withApplication } from '../application.ts';
import { type CallFacts, describeCall } from '../explain/call.ts';
import { explainCode, isCode } from '../explain/code.ts';
import { findRoute, type RequestMatch } from '../explain/find.ts';
import { toCallLines, toRouteLines } from '../explain/print.ts';
import { findGuard, type GuardFacts, judgePath, toGuardLines } from '../explain/role.ts';
import { findRules, type RuleFacts, readMe, toRuleLines } from '../explain/rule.ts';
import { explainSteps, toStepLines } from '../explain/step.ts';
import type { Verdict } from '../explain/verdict.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { type CommandSpec, findText, getText, type Invocation, type Outcome } from '../spec.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const command: CommandSpec = {
  arguments: [
    { name: 'method-or-code', description: 'HTTP method, such as GET, or the code of an error, such as ROW_MISSING' },
    { name: 'path', description: 'path of the request, such as /rest/public/article/search', isOptional: true },
  ],
  options: [
    { name: 'as', value: 'email', description: 'tells whether this user has access' },
    { name: 'app', value: 'name', description: 'tells whether this app has access: its file name or its client id' },
  ],
  examples: [
    'treadle explain GET /rest/public/article/search',
    'treadle explain GET /staff/list --as me@example.org',
    'treadle explain GET /rest/user/profile/detail --app reader --as me@example.org',
    'treadle explain ROW_MISSING',
  ],
  async ask({ values }, prompt) {
    const word = getText(values, 'method-or-code');
    if (!isCode(word) && values.path === undefined) values.path = await prompt.text('Path of the request');
  },
  async run(invocation) {
    const { values } = invocation;
    const word = getText(values, 'method-or-code');
    if (isCode(word)) return explainCode(word);
    const method = word.toUpperCase();
    if (!METHODS.includes(method))
      throw createUsageError(`"${method}" is not a method.`, `One of ${METHODS.join(', ')}, or the code of an error.`);
    const given = findText(values, 'path');
    if (given === undefined) throw createUsageError('The path of the request is missing.', `Write it after ${method}.`);
    const path = toPath(given);
    const plan = await compilePlan(invocation);
    const found = findRoute(plan, method, path);
    const guard = findGuard(plan.model, method, path);
    if (found.routes.length === 0 && guard === undefined) return toMissing(found, method);
    const call = found.call === undefined ? undefined : describeCall(plan, found.call, found);
    const verdict = await findVerdict(invocation, call, guard);
    const rules = await findRuling(invocation, plan, found);
    const routes = found.routes.filter(({ by }) => by === 'project' || call === undefined);
    const set = plan.bus.match(method === 'HEAD' ? 'GET' : method, path);
    const steps = explainSteps({ plan, found, set, guard, call, root: invocation.root() });
    return {
      data: {
        method,
        path,
        status: found.routes.length === 0 ? 404 : 200,
        kind: set.kind,
        call: call ?? null,
        routes,
        guard: guard ?? null,
        rules: rules ?? null,
        verdict: verdict ?? null,
        steps,
      },
      lines: [
        `${method} ${path}`,
        ...(routes.length > 0 ? toRouteLines({ ...found, routes }) : []),
        ...(found.routes.length > 0 ? [] : ['no route; a static file may be there']),
        ...(call === undefined ? [] : toCallLines(call, verdict)),
        ...(guard === undefined ? [] : toGuardLines(guard, verdict)),
        ...(rules === undefined ? [] : toRuleLines(rules)),
        ...toStepLines(steps),
      ],
      next: toNext(call),
    };
  },
};

/** The path of a URL: without origin and query, with a leading slash. */
function toPath(given: string): string {
  const path = given.replace(/^https?:\/\/[^/?#]*/, '').split(/[?#]/, 1)[0] ?? '';
  if (!path.startsWith('/'))
    throw createUsageError(`"${given}" is not a path.`, 'A path begins with "/", such as /articles.');
  return path;
}

/** No route: 405 if other methods have one, otherwise 404. */
function toMissing({ path, methods, near }: RequestMatch, method: string): Outcome {
  const status = methods.length > 0 ? 405 : 404;
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  const line =
    status === 405
      ? `405: ${path} supports ${methods.join(', ')}, not ${method}.`
      : `404: no route for ${method} ${path}.${hint}`;
  return {
    data: { method, path, status, kind: null, call: null, routes: [], verdict: null, methods, near: near ?? null },
    lines: [line],
    exitCode: EXIT.failed,
  };
}

/** What roles say of a call's rows, for the user who was named. */
async function findRuling(
  invocation: Invocation,
  plan: CompiledPlan,
  { call }: RequestMatch,
): Promise<RuleFacts | undefined> {
  const email = findText(invocation.values, 'as');
  if (call === undefined || findRules(plan, call, undefined) === undefined) return undefined;
  const me = email === undefined ? undefined : await withApplication(invocation, (running) => readMe(running, email));
  return findRules(plan, call, me);
}

async function findVerdict(
  invocation: Invocation,
  call: CallFacts | undefined,
  guard: GuardFacts | undefined,
): Promise<Verdict | undefined> {
  const { values } = invocation;
  const [app, email] = [findText(values, 'app'), findText(values, 'as')];
  if (guard !== undefined && email !== undefined)
    return withApplication(invocation, (running) => judgePath(running, guard, email));
  if (call === undefined || (app === undefined && email === undefined)) return undefined;
  const { judge } = await import('../explain/verdict.ts');
  return withApplication(invocation, (running) => judge(running, call, { app, email }));
}

function toNext(call: CallFacts | undefined): string[] {
  if (call === undefined) return ['treadle routes'];
  if (call.isHandwritten) return ['treadle events'];
  const isLost = call.access === 'user' && call.scopes.length === 0;
  return isLost
    ? [`treadle scope create <slug> --name <text> --access user --call ${call.name}`]
    : [`treadle rest show ${call.name}`];
}
