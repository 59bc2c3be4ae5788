import { listGuidePages } from '../guide.ts';
import { listShownSchemas } from '../openapi/parts.ts';
import type { Source } from '../source.ts';
import { buildCallList, sortCalls, toCallPage } from './call.ts';
import { listErrorPages } from './error.ts';
import { buildHookList, buildHookPage } from './hook.ts';
import type { DocPage } from './page.ts';
import { buildSchemaList, buildSchemaPage } from './schema.ts';
import { buildScopeList, buildScopePage } from './scope.ts';

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
    buildCallList(calls, plan),
    ...calls.map((call) => toCallPage(call, source)),
    buildSchemaList(schemas, calls),
    ...schemas.map((schema) => buildSchemaPage(schema, source, calls)),
    buildScopeList(scopes),
    ...scopes.map((scope) => buildScopePage(scope, source, calls)),
    buildHookList(hooks, source),
    ...hooks.map((hook) => buildHookPage(hook, source, calls)),
    ...listErrorPages(source),
  ];
}
