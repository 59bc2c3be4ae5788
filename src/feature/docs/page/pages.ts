import { listGuidePages } from '../guide.ts';
import { listShownSchemas } from '../openapi/parts.ts';
import type { Source } from '../source.ts';
import { sortCalls, toCallList, toCallPage } from './call.ts';
import { toHookList, toHookPage } from './hook.ts';
import type { DocPage } from './page.ts';
import { buildSchemaPage, toSchemaList } from './schema.ts';
import { buildScopePage, toScopeList } from './scope.ts';

/** Every page of a plan's docs, in reading order. */
export function listPages(source: Source): DocPage[] {
  const { plan } = source;
  const calls = sortCalls(plan);
  const scopes = [...plan.model.scopes.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const hooks = [...plan.hooks].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const schemas = listShownSchemas(
    plan.model,
    [...plan.calls, ...plan.hooks].map(({ schema }) => schema),
  );
  return [
    ...listGuidePages(source),
    toCallList(calls, plan),
    ...calls.map((call) => toCallPage(call, source)),
    toSchemaList(schemas, calls),
    ...schemas.map((schema) => buildSchemaPage(schema, source, calls)),
    toScopeList(scopes),
    ...scopes.map((scope) => buildScopePage(scope, source, calls)),
    toHookList(hooks, source),
    ...hooks.map((hook) => toHookPage(hook, source, calls)),
  ];
}
