import { isObject } from '../../core/record.ts';
import { toLocalText, translate } from '../../core/text/translate.ts';
import type { Model } from '../../model/model.ts';
import type { CallFacts } from './call-facts.ts';
import { buildResponses } from './openapi/answer.ts';
import { HEADERS } from './openapi/headers.ts';
import { PROBLEM_RESPONSES } from './openapi/problem.ts';
import { print } from './page/page.ts';
import { createSampleAnswer, pickMethod } from './sample/call-sample.ts';

interface ShownHeader {
  readonly name: string;
  readonly description: string;
}

/** One status of a call, for its page. */
export interface ShownAnswer {
  readonly status: string;
  readonly reason: string;
  readonly isError: boolean;
  readonly headers: readonly ShownHeader[];
  /** An example body; undefined for a status without a body. */
  readonly body: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const toRecord = (value: unknown): Fields => (isObject(value) ? value : {});

/** One response of the OpenAPI document, with its references resolved. */
interface Answer {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly description?: string }>>;
  readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
}

/** The components that responses refer to. */
const COMPONENTS: Readonly<Record<string, Fields>> = { responses: PROBLEM_RESPONSES, headers: HEADERS };

/** The target of a reference to a component, or the value itself. */
function resolve(value: unknown): Fields {
  const found = toRecord(value);
  if (typeof found.$ref !== 'string') return found;
  const [kind = '', name = ''] = found.$ref.split('/').slice(-2);
  return toRecord(COMPONENTS[kind]?.[name]);
}

function toAnswer(value: unknown): Answer {
  const { description, headers, content } = resolve(value);
  return {
    description: String(description ?? ''),
    headers: Object.fromEntries(Object.entries(toRecord(headers)).map(([name, header]) => [name, resolve(header)])),
    content: toRecord(content) as Answer['content'],
  };
}

/** The example of an error body, with this call's path, and for a broken rule with one of its fields. */
function toProblem(example: unknown, status: string, facts: CallFacts): unknown {
  if (!isObject(example)) return undefined;
  const field = status === '422' ? (facts.body.find(({ isRequired }) => isRequired) ?? facts.body[0]) : undefined;
  if (!field) return status === '422' ? { ...example, validation: {} } : example;
  const detail = field.isRequired
    ? translate('{label} is required', { label: field.description })
    : (field.rules[0] ?? translate('is not valid'));
  return {
    ...example,
    detail,
    message: detail,
    validation: { [field.name]: detail },
    errors: [{ pointer: `/${field.name}`, rule: field.isRequired ? 'required' : 'type', detail }],
  };
}

function findExample({ content }: Answer): unknown {
  return Object.values(content).find(({ example }) => example !== undefined)?.example;
}

/** The headers that the page has not yet shown for a better status. */
function listHeaders({ headers }: Answer, told: Set<string>): ShownHeader[] {
  const fresh = Object.entries(headers).filter(([name]) => !told.has(name));
  for (const [name] of fresh) told.add(name);
  return fresh.map(([name, { description = '' }]) => ({ name, description: toLocalText(description) }));
}

const rank = (status: string): number => (/^\d+$/.test(status) ? Number(status) : status === 'default' ? 999 : 998);

/**
 * Every status of the call, successes first, each with its headers and an example body. They come from the OpenAPI
 * document, so that the two never differ.
 */
export function listAnswers(facts: CallFacts, model: Model): ShownAnswer[] {
  const { status: success, errors } = facts;
  const told = new Set<string>();
  return Object.entries(buildResponses(facts, pickMethod(facts), model))
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([status, response]) => {
      const answer = toAnswer(response);
      const isSuccess = Number(status) === success;
      const example = isSuccess
        ? (findExample(answer) ?? createSampleAnswer(facts, model))
        : toProblem(findExample(answer), status, facts);
      const own = errors.find((error) => String(error.status) === status);
      return {
        status: status === 'default' ? translate('else') : status,
        reason: own?.reason ?? toLocalText(answer.description),
        isError: Number(status) >= 400 || Number.isNaN(Number(status)),
        headers: listHeaders(answer, told),
        body: example === undefined ? undefined : print(example),
      };
    });
}
