import type { HookModel, SchemaModel, ScopeModel } from '../../model/model.ts';
import type { CallPlan, Plan } from '../../plan/feature.ts';
import { toCallFacts } from './call-facts.ts';
import { toCallCurl, toSampleAnswer } from './call-sample.ts';
import { toOverview } from './guide.ts';
import { HOOK_HEADERS, toSamplePayload, VERIFY_BY_HAND, VERIFY_WITH_PACKAGE } from './hook-facts.ts';
import type { Links } from './links.ts';
import { listShownSchemas } from './openapi-parts.ts';
import { listBranches, listRowKeys, toSampleDetail } from './row.ts';
import { describeType } from './value.ts';

export type PageData = Readonly<Record<string, unknown>>;

/** One page of the docs, before it has an address. */
export interface DocPage {
  /** Empty for the overview, else such as `calls` or `calls/public-article-search`. */
  readonly path: string;
  readonly title: string;
  /** Template in `templates/docs`. */
  readonly template: string;
  data(links: Links): PageData;
}

const ACCESS_TEXT = {
  public: 'Needs no credential.',
  app: 'Needs an app: a client id to read, its client secret as well to write.',
  user: 'Needs the access token of a user who has granted the scope.',
} as const;

/** A sentence of an event's description, with what stands between backticks as code. */
const toParts = (sentence: string): { readonly text: string; readonly isCode: boolean }[] =>
  sentence.split('`').map((text, index) => ({ text, isCode: index % 2 === 1 }));

const print = (value: unknown): string => JSON.stringify(value, null, 2);
const byName = <T extends { readonly name: string }>(list: Iterable<T>): T[] =>
  [...list].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** Every page of a plan's docs, in the order in which the side list has them. */
export function listPages(plan: Plan, baseUrl: string): DocPage[] {
  const calls = byName(plan.calls);
  const scopes = [...plan.model.scopes.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const hooks = byName(plan.hooks);
  const schemas = listShownSchemas(
    plan.model,
    [...plan.calls, ...plan.hooks].map(({ schema }) => schema),
  );
  return [
    { path: '', title: 'Overview', template: 'overview', data: (links) => toOverview(plan, baseUrl, links) },
    { path: 'calls', title: 'Calls', template: 'calls', data: (links) => toCallList(calls, links) },
    ...calls.map((call) => toCallPage(call, plan, baseUrl)),
    { path: 'scopes', title: 'Scopes', template: 'scopes', data: (links) => toScopeList(scopes, links) },
    ...scopes.map((scope) => toScopePage(scope, plan)),
    { path: 'webhooks', title: 'Web hooks', template: 'webhooks', data: (links) => toHookList(hooks, links) },
    ...hooks.map((hook) => toHookPage(hook, plan)),
    { path: 'schemas', title: 'Schemas', template: 'schemas', data: (links) => toSchemaList(schemas, links) },
    ...schemas.map((schema) => toSchemaPage(schema, plan)),
  ];
}

function toCallRow(call: CallPlan, links: Links): PageData {
  return {
    href: links.page(`calls/${call.name}`),
    title: call.definition.title,
    method: call.definition.method.toUpperCase(),
    path: call.path,
    access: call.definition.access,
    scopes: call.scopes.map((slug) => ({ slug, href: links.page(`scopes/${slug}`) })),
  };
}

function toCallList(calls: readonly CallPlan[], links: Links): PageData {
  const groups = (['public', 'app', 'user'] as const).map((access) => ({
    access,
    text: ACCESS_TEXT[access],
    calls: calls.filter(({ definition }) => definition.access === access).map((call) => toCallRow(call, links)),
  }));
  return { groups: groups.filter((group) => group.calls.length > 0) };
}

function toCallPage(call: CallPlan, plan: Plan, baseUrl: string): DocPage {
  return {
    path: `calls/${call.name}`,
    title: call.definition.title,
    template: 'call',
    data(links) {
      const facts = toCallFacts(call, plan);
      const known = call.scopes.filter((slug) => plan.model.scopes.has(slug));
      return {
        ...toCallRow(call, links),
        name: call.name,
        description: call.definition.description,
        accessText: ACCESS_TEXT[call.definition.access],
        scopes: known.map((slug) => ({ slug, href: links.page(`scopes/${slug}`) })),
        isUnreachable: call.definition.access === 'user' && known.length === 0,
        isOwn: call.definition.access === 'user' && call.isOwn,
        pathParameters: facts.parameters.filter(({ place }) => place === 'path'),
        queryParameters: facts.parameters.filter(({ place }) => place === 'query'),
        body: facts.body,
        schema: facts.schema && { name: facts.schema.name, href: links.page(`schemas/${facts.schema.name}`) },
        results: facts.results === undefined ? undefined : toParts(facts.results),
        curl: toCallCurl(facts, baseUrl),
        status: facts.status,
        answer: print(toSampleAnswer(facts, plan.model)),
        errors: facts.errors,
        isSearch: facts.action === 'search',
        search: `${links.page('')}#search`,
      };
    },
  };
}

function toScopeList(scopes: readonly ScopeModel[], links: Links): PageData {
  return {
    scopes: scopes.map(({ slug, definition, calls }) => ({
      slug,
      href: links.page(`scopes/${slug}`),
      name: definition.name,
      access: definition.access,
      description: definition.description,
      count: calls.length,
      isOne: calls.length === 1,
    })),
  };
}

function toScopePage(scope: ScopeModel, plan: Plan): DocPage {
  const { slug, definition } = scope;
  return {
    path: `scopes/${slug}`,
    title: definition.name,
    template: 'scope',
    data: (links) => ({
      slug,
      name: definition.name,
      description: definition.description,
      access: definition.access,
      isUser: definition.access === 'user',
      calls: byName(plan.calls.filter(({ scopes }) => scopes.includes(slug))).map((call) => toCallRow(call, links)),
    }),
  };
}

function toHookList(hooks: readonly HookModel[], links: Links): PageData {
  return {
    hooks: hooks.map(({ name, definition }) => ({
      href: links.page(`webhooks/${name}`),
      title: definition.title,
      type: definition.type,
      event: definition.event,
      description: definition.description,
    })),
  };
}

function toHookPage(hook: HookModel, plan: Plan): DocPage {
  const { title, type, event, description, audience, method, delivery, parameters } = hook.definition;
  return {
    path: `webhooks/${hook.name}`,
    title,
    template: 'webhook',
    data: (links) => ({
      name: hook.name,
      title,
      type,
      event,
      description,
      isForUser: audience === 'user',
      method: (method ?? 'post').toUpperCase(),
      isInline: delivery === 'inline',
      parameters: Object.entries(parameters ?? {}).map(([name, value]) => ({ name, value: JSON.stringify(value) })),
      headers: HOOK_HEADERS,
      payload: print(toSamplePayload(hook, plan.model)),
      schema: hook.schema && { name: hook.schema, href: links.page(`schemas/${hook.schema}`) },
      withPackage: VERIFY_WITH_PACKAGE,
      byHand: VERIFY_BY_HAND,
    }),
  };
}

function toSchemaList(schemas: readonly SchemaModel[], links: Links): PageData {
  return {
    schemas: schemas.map(({ name, singular, plural, description }) => ({
      href: links.page(`schemas/${name}`),
      name,
      singular,
      plural,
      description,
    })),
  };
}

function toSchemaPage(schema: SchemaModel, plan: Plan): DocPage {
  const { model } = plan;
  return {
    path: `schemas/${schema.name}`,
    title: schema.singular,
    template: 'schema',
    data: (links) => ({
      name: schema.name,
      singular: schema.singular,
      description: schema.description,
      keys: listRowKeys(schema, model).map((key) => ({ ...key, type: describeType(key.schema) })),
      branches: listBranches(schema, model).map(({ name, target, isList }) => ({
        name,
        kind: isList ? 'list' : 'object or null',
        target: target.name,
        href: links.page(`schemas/${target.name}`),
      })),
      sample: print(toSampleDetail(schema, model)),
      calls: byName(plan.calls.filter((call) => call.schema === schema.name)).map((call) => toCallRow(call, links)),
    }),
  };
}
