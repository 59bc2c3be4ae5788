import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { DefinitionOf } from '../../../model/shape.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { findAppRows } from './app-list.ts';
import type { FormFacts } from './control.ts';
import { findNamed, readFacts, showKind, toPath } from './page.ts';
import { describeCall } from './rest-facts.ts';
import { createTryForm, tryCall } from './rest-try.ts';
import { readSourceView } from './source-view.ts';

/** A call of a file, or of the project's code. */
function findCall(context: Context, exchange: Exchange, facts: FormFacts) {
  const name = exchange.request.getParameters('id') ?? '';
  const served = context.plan.calls.find((call) => call.name === name);
  const file = facts.definitions.rest.get(name);
  if (file !== undefined) return { name, value: file.value, served };
  if (served !== undefined) return { name, value: served.definition, served, codeFile: served.file };
  findNamed(context, exchange, facts, 'rest');
  return undefined;
}

async function showCallPage(context: Context, exchange: Exchange, isTrying: boolean): Promise<void> {
  const facts = await readFacts(context);
  const found = findCall(context, exchange, facts);
  if (found === undefined) return;
  const { name, value, served } = found;
  const scopes = [...facts.definitions.scope].filter(([, scope]) => scope.value.calls.includes(name));
  const tried = isTrying && served !== undefined ? await tryCall(context, exchange, served) : undefined;
  showKind(context, exchange, {
    kind: 'rest',
    name: 'rest-detail',
    title: toLocalText(value.title),
    actions: 'detail-actions',
    data: {
      ...(await readSourceView(context, exchange, facts, { kind: 'rest', name })),
      ...value,
      description: toLocalText(value.description ?? ''),
      method: value.method.toUpperCase(),
      codeFile: found.codeFile,
      scopes: scopes.map(([slug]) => ({ slug, href: toPath('scope', 'detail', slug) })),
      isOutside: value.access === 'user' && scopes.length === 0,
      notServed: served === undefined,
      ...(served === undefined
        ? {}
        : { view: describeCall(served, context.plan), try: await createTryForm(context, exchange, served), tried }),
    },
  });
}

export const showCall = (context: Context, exchange: Exchange): Promise<void> => showCallPage(context, exchange, false);
export const postTry = (context: Context, exchange: Exchange): Promise<void> => showCallPage(context, exchange, true);

/** Calls that a scope lists, as its page shows them. */
function listScopeCalls({ definitions, plan }: FormFacts, scope: DefinitionOf['scope']): Row[] {
  return scope.calls.map((name) => {
    const definition = definitions.rest.get(name)?.value ?? plan.calls.find((call) => call.name === name)?.definition;
    if (definition === undefined) return { name, isMissing: true };
    const { title, method, path } = definition;
    return {
      name,
      title: toLocalText(title),
      address: `${method.toUpperCase()} /rest${path}`,
      href: toPath('rest', 'detail', name),
    };
  });
}

/** Shows a scope: its calls, what the consent dialog says, and the apps that list it. */
export async function showScope(context: Context, exchange: Exchange): Promise<void> {
  const facts = await readFacts(context);
  const found = findNamed(context, exchange, facts, 'scope');
  if (found === undefined) return;
  const { name, value } = found;
  const rows = await findAppRows(context);
  const holders = rows.filter(({ scopes }) => Array.isArray(scopes) && scopes.includes(name));
  showKind(context, exchange, {
    kind: 'scope',
    name: 'scope-detail',
    title: toLocalText(value.name),
    actions: 'detail-actions',
    data: {
      ...(await readSourceView(context, exchange, facts, { kind: 'scope', name })),
      ...value,
      description: toLocalText(value.description ?? ''),
      name: toLocalText(value.name),
      isForUser: value.access === 'user',
      calls: listScopeCalls(facts, value),
      siteName: context.plan.model.settings.name,
      docs: `/developer/docs/scopes/${encodeURIComponent(name)}`,
      holders: holders.map((row) => ({
        title: row.title,
        href: toPath('app', 'detail', String(row.name ?? row.client_id)),
        isWaiting: Array.isArray(row.pending) && row.pending.includes(name),
        isOff: row.active !== 1,
      })),
      noHolders: translate('No app lists it: nobody can use it.'),
    },
  });
}
