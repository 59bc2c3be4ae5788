import { inLocale } from '../../../core/text/translate.ts';
import { toRecord } from '../../../model/json/json-parts.ts';
import { collectRefs, listValues } from '../../../model/json/json-value.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import type { Plan } from '../../../plan/feature.ts';
import { listServedBatches } from '../batch.ts';
import { type CallFacts, listCallFacts } from '../call-facts.ts';
import { toChildSchemas } from '../children.ts';
import { buildBatchPaths } from './batch.ts';
import { HEADER_PARAMETERS, HEADERS } from './headers.ts';
import { groupCallsOfOne } from './links.ts';
import { buildOperation, type DocumentParts, toTag } from './operation.ts';
import { listShownSchemas, TAG_TEXTS, toRowSchemas } from './parts.ts';
import { PROBLEM, PROBLEM_RESPONSES } from './problem.ts';
import { buildSecuritySchemes } from './security.ts';
import { SharedComponents } from './shared.ts';
import { withUploads } from './upload.ts';
import { toWebhooks } from './webhooks.ts';

const INTRODUCTION = `Generated from the definitions of this site.

A success is \`{"error": false, "results": …}\`; an error has its real status and a problem document (RFC 9457).
Times are YYYY-MM-DD HH:MM:SS, UTC.`;

/**
 * The API as an OpenAPI 3.1 document, generated only from the plan: the same plan gives the same bytes. It is in English,
 * because programs and files keep it.
 *
 * @param baseUrl Public URL without a trailing slash.
 * @see https://spec.openapis.org/oas/v3.1.2
 */
export const buildOpenApi = (plan: Plan, baseUrl: string): Json =>
  inLocale(undefined, () => makeDocument(plan, baseUrl));

function makeDocument(plan: Plan, baseUrl: string): Json {
  const { model } = plan;
  const calls = listCallFacts(plan);
  const named = [...calls.map(({ schema }) => schema?.name), ...plan.hooks.map(({ schema }) => schema)];
  const shown = listShownSchemas(model, named);
  const shared = new SharedComponents();
  const parts = { plan, shared, calls, ofOne: groupCallsOfOne(calls) };
  const paths = { ...buildPaths(parts), ...buildBatchPaths(parts) };
  const webhooks = toWebhooks(parts, baseUrl);
  const document = {
    openapi: '3.1.0',
    info: { title: `${model.settings.name} API`, version: model.version ?? '1', description: INTRODUCTION },
    servers: [{ url: baseUrl }],
    tags: listTags(plan, calls),
    // Operations that no definition makes, such as the upload of files, join the paths here.
    paths,
    webhooks,
    components: {
      schemas: {
        ...Object.assign({}, ...shown.map((schema) => toRowSchemas(schema, model))),
        ...toChildSchemas(plan),
        problem: PROBLEM,
        ...shared.list('schemas'),
      },
      responses: PROBLEM_RESPONSES,
      parameters: { ...HEADER_PARAMETERS, ...shared.list('parameters') },
      headers: HEADERS,
      securitySchemes: buildSecuritySchemes(model, baseUrl),
    },
  };
  return dropUnused(withUploads(document, plan));
}

/** The tags of calls: schemas by name, then kinds of access, then web hooks. */
function listTags(plan: Plan, calls: readonly CallFacts[]): Json[] {
  const tags = new Map<string, string>();
  for (const { schema } of calls) if (schema) tags.set(schema.name, schema.description ?? schema.plural);
  const sorted = [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
  const others = new Map<string, string>();
  for (const facts of calls) if (!facts.schema) others.set(toTag(facts), TAG_TEXTS[facts.call.definition.access]);
  for (const { access } of listServedBatches(plan)) others.set(access, TAG_TEXTS[access]);
  if (plan.hooks.length > 0) others.set('webhook', TAG_TEXTS.webhook);
  const rest = [...others].filter(([name]) => !tags.has(name));
  return [...sorted, ...rest].map(([name, description]) => ({ name, description }));
}

/** Turns `:name` into `{name}`, and each `*` into a numbered parameter. */
function toTemplate(path: string): { template: string; wildcards: string[] } {
  const wildcards: string[] = [];
  const template = path
    .split('/')
    .map((segment) =>
      segment.replace(/^:([A-Za-z_][A-Za-z0-9_]*)$/, '{$1}').replace(/\*+/g, () => {
        wildcards.push(`wildcard${wildcards.length + 1}`);
        return `{${wildcards[wildcards.length - 1]}}`;
      }),
    )
    .join('/');
  return { template, wildcards };
}

function buildPaths(parts: DocumentParts): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const facts of parts.calls) {
    const { template, wildcards } = toTemplate(facts.call.path);
    paths[template] ??= {};
    for (const method of facts.methods) paths[template][method] ??= buildOperation(facts, method, parts, wildcards);
  }
  return paths;
}

type Components = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** The credentials that an operation names. */
const listSchemes = (operation: unknown): string[] =>
  listValues(toRecord(operation).security).flatMap((need) => Object.keys(toRecord(need)));

/** Leaves out unreferenced components, so that a small API has a small document. */
function dropUnused(document: Json & { readonly components: Components }): Json {
  const { components, ...rest } = document;
  const schemes = new Set(listValues(rest.paths).flatMap(listValues).flatMap(listSchemes));
  // A set is walked with what is added on the way.
  const used = collectRefs(rest);
  for (const ref of used) {
    const [, , kind = '', name = ''] = ref.split('/');
    // A schema with some columns also needs the whole row.
    if (name.endsWith('-columns')) used.add(ref.replace(/-columns$/, ''));
    collectRefs(components[kind]?.[name], used);
  }
  const usedComponents = Object.entries(components).map(([kind, entries]) => {
    const isUsed = ([name]: [string, Json]): boolean =>
      kind === 'securitySchemes' ? schemes.has(name) : used.has(`#/components/${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(entries).filter(isUsed))] as const;
  });
  return {
    ...rest,
    components: Object.fromEntries(usedComponents.filter(([, entries]) => Object.keys(entries).length > 0)),
  };
}
