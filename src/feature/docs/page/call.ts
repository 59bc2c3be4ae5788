import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { CallPlan, Plan } from '../../../plan/feature.ts';
import { toAlongRows } from '../along.ts';
import { listAnswers } from '../answers.ts';
import { listServedBatches } from '../batch.ts';
import { listBounds } from '../bounds.ts';
import { toCallFacts } from '../call-facts.ts';
import { createConsole } from '../console.ts';
import { listFiredHooks } from '../fired.ts';
import type { Links } from '../links.ts';
import { createSampleRequest } from '../sample/request.ts';
import { toSamples } from '../sample/samples.ts';
import type { ParameterFacts } from '../search-parameters.ts';
import type { Source } from '../source.ts';
import type { DocPage, PageData } from './page.ts';

const ACCESS = ['public', 'app', 'user'] as const;
const ACCESS_TEXT = {
  public: 'Needs no credential.',
  app: 'Needs an app: a client id to read, its client secret as well to write.',
  user: 'Needs the access token of a user who has granted the scope.',
} as const;

/** Parameters that mean the same in every search; a call's page folds them away. */
const SHARED: ReadonlySet<string> = new Set(['limit', 'offset', 'after', 'before', 'fields', 'expand', 'total']);

/** The order of a schema's calls: reads, then writes. */
const ORDER = ['search', 'detail', 'create', 'update', 'remove', 'restore', 'link', 'unlink', 'batch'];

function toOrder({ definition, handler }: CallPlan): number {
  const index = ORDER.indexOf(/-([a-z]+)$/.exec(definition.event)?.[1] ?? '');
  return index < 0 || handler ? ORDER.length : index;
}

/** The schemas of a call: its own, or both ends of a relation. */
export function listSubjects({ schema, definition }: CallPlan): string[] {
  const { schema1, schema2 } = definition.parameters ?? {};
  return [schema, schema1, schema2].filter((name) => typeof name === 'string');
}

/** The group of a call in lists: the plural of its schema. */
function findGroup(call: CallPlan, { model }: Plan): string {
  return model.schemas.get(listSubjects(call)[0] ?? '')?.plural ?? 'Other calls';
}

/** All calls in the order of the docs: by schema, action and access. */
export function sortCalls(plan: Plan): CallPlan[] {
  const keyed = plan.calls.map((call) => {
    const isLast = !plan.model.schemas.has(listSubjects(call)[0] ?? '');
    return { call, key: [isLast ? 1 : 0, findGroup(call, plan).toLowerCase(), toOrder(call)] as const };
  });
  const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
  return keyed
    .sort(
      (a, b) =>
        a.key.reduce<number>((found, part, index) => found || compare(part, b.key[index] ?? 0), 0) ||
        ACCESS.indexOf(a.call.definition.access) - ACCESS.indexOf(b.call.definition.access) ||
        compare(a.call.name, b.call.name),
    )
    .map(({ call }) => call);
}

/** A row of the table of calls. */
export function toCallRow(call: CallPlan, links: Links): PageData {
  return {
    href: links.page(`calls/${call.name}`),
    title: toLocalText(call.definition.title),
    method: call.definition.method.toUpperCase(),
    path: call.path,
    access: call.definition.access,
    scopes: call.scopes.map((slug) => ({ slug, href: links.page(`scopes/${slug}`) })),
  };
}

/** The list of all calls, grouped by schema. */
export function buildCallList(calls: readonly CallPlan[], plan: Plan): DocPage {
  return {
    path: 'calls',
    kind: 'calls',
    title: translate('Calls'),
    template: 'calls',
    words: 'rest api endpoints reference',
    data(links) {
      const groups = new Map<string, CallPlan[]>();
      for (const call of calls) {
        const name = findGroup(call, plan);
        groups.set(name, [...(groups.get(name) ?? []), call]);
      }
      return {
        kinds: ACCESS.map((access) => ({ access, text: translate(ACCESS_TEXT[access]) })),
        groups: [...groups].map(([title, items], index) => ({
          title: toLocalText(title),
          id: `group-${index + 1}`,
          calls: items.map((call) => toCallRow(call, links)),
        })),
        authentication: links.page('guide/authentication'),
        batches: listServedBatches(plan).map(({ path, access }) => ({ path, access })),
        batch: `${links.page('guide/writing')}#calls`,
      };
    },
  };
}

const withBounds = (rows: readonly ParameterFacts[]): PageData[] =>
  rows.map((row) => ({ ...row, bounds: listBounds(row.schema) }));

/** The page of a call: its request in four languages, parameters, body, answers, console, and the hooks it fires. */
export function toCallPage(call: CallPlan, source: Source): DocPage {
  const { plan, baseUrl } = source;
  const { title, access, event, description = '', method } = call.definition;
  return {
    path: `calls/${call.name}`,
    kind: 'calls',
    title: toLocalText(title),
    template: 'call',
    group: toLocalText(findGroup(call, plan)),
    method: method.toUpperCase(),
    note: access,
    words: `${call.name} ${call.path} ${event} ${call.scopes.join(' ')} ${description}`,
    data(links) {
      const facts = toCallFacts(call, plan);
      const shared = facts.action === 'search' ? SHARED : new Set<string>();
      const query = facts.parameters.filter(({ place }) => place === 'query');
      const known = call.scopes.filter((slug) => plan.model.scopes.has(slug));
      const schema = facts.schema && { name: facts.schema.name, href: links.page(`schemas/${facts.schema.name}`) };
      return {
        ...toCallRow(call, links),
        name: call.name,
        description: toLocalText(description),
        accessText: translate(ACCESS_TEXT[access]),
        scopes: known.map((slug) => ({ slug, href: links.page(`scopes/${slug}`) })),
        isUnreachable: access === 'user' && known.length === 0,
        isOwn: access === 'user' && call.isOwn,
        pathParameters: withBounds(facts.parameters.filter(({ place }) => place === 'path')),
        queryParameters: withBounds(query.filter(({ name }) => !shared.has(name))),
        sharedParameters: withBounds(query.filter(({ name }) => shared.has(name))),
        body: facts.body.map((field) => ({ ...field, example: JSON.stringify(field.sample) })),
        isPatch: method === 'patch',
        isWrite: method !== 'get',
        schema: /^(?:un)?link$/.test(facts.action) ? undefined : schema,
        results: facts.results === undefined ? undefined : toParts(toLocalText(facts.results)),
        along: toAlongRows([call], plan, links),
        ...toSamples(createSampleRequest(facts, baseUrl)),
        ...splitAnswers(listAnswers(facts, plan.model)),
        isSearch: facts.action === 'search',
        console: createConsole(facts, source),
        ...describeEffects(call, source, links),
        guide: toGuide(links),
      };
    },
  };
}

const splitAnswers = (answers: ReturnType<typeof listAnswers>) => ({
  answers: answers.filter(({ isError }) => !isError),
  errors: answers.filter(({ isError }) => isError),
});

const toGuide = (links: Links): PageData => ({
  authentication: links.page('guide/authentication'),
  searching: links.page('guide/searching'),
  writing: links.page('guide/writing'),
  errors: links.page('guide/errors'),
});

/** The event that answers, and the hooks that it fires. */
function describeEffects(call: CallPlan, { plan }: Source, links: Links): PageData {
  return {
    event: call.handler ? undefined : call.definition.event,
    hooks: listFiredHooks(call, plan.hooks).map(({ item, isCertain }) => ({
      title: toLocalText(item.definition.title),
      type: item.definition.type,
      href: links.page(`webhooks/${item.name}`),
      isCertain,
    })),
  };
}

/** A sentence of an event's description, with text in backticks as code. */
const toParts = (sentence: string): { readonly text: string; readonly isCode: boolean }[] =>
  sentence.split('`').map((text, index) => ({ text, isCode: index % 2 === 1 }));
