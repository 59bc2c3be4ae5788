import { toDocumentedCode } from '../../core/error-catalog.ts';
import { isObject } from '../../core/record.ts';
import type { Request } from '../../core/request/request.ts';
import { findRule, type RuleNote } from '../../core/text/rule-note.ts';
import { toLoggedPath } from '../access-log.ts';
import type { Exchange } from '../exchange.ts';
import { type Failure, toTitle } from './failure.ts';

/** One error with its place in the request: `pointer` in the body (RFC 6901), or the name of a parameter or a header. */
type PlacedError = RuleNote &
  ({ readonly pointer: string } | { readonly parameter: string } | { readonly header: string }) & {
    readonly detail: string;
  };

type Path = readonly [string, ...string[]];

/** What a project's own code says of a value. */
const OWN: RuleNote = { rule: 'custom' };

/** The messages of a validation, at any depth, each with the path of its value. */
function listMessages(validation: Readonly<Record<string, unknown>>, base: readonly string[] = []): [Path, string][] {
  return Object.entries(validation).flatMap(([key, value]): [Path, string][] => {
    const path: Path = [...base, key] as unknown as Path;
    return isObject(value) ? listMessages(value, path) : [[path, String(value)]];
  });
}

const toToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** `filter[price][gte]` as `filter`, `price`, `gte`; any other name as it is. */
function splitName(name: string): string[] {
  const [, first, rest] = /^([^[\]]+)((?:\[[^[\]]+\])+)$/.exec(name) ?? [];
  return first === undefined || rest === undefined ? [name] : [first, ...rest.slice(1, -1).split('][')];
}

const toName = ([first, ...rest]: Path): string => [first, ...rest.map((key) => `[${key}]`)].join('');

/** @param isSent Whether the body has the first key as it is: a key of JSON may have brackets that mean nothing. */
function toPointer([first, ...rest]: Path, isSent: boolean): string {
  const names = isSent ? [first] : splitName(first);
  return [...names, ...rest].map((key) => `/${toToken(key)}`).join('');
}

const has = (part: unknown, name: string): boolean => isObject(part) && Object.hasOwn(part, name);

/** The name that the client sent: an error in `sort` may have the key `sort[title]`. */
function createNaming(query: string): (path: Path) => string {
  const sent = new Set(new URLSearchParams(query).keys());
  return (path) => {
    const name = toName(path);
    const [root = name] = splitName(name);
    return !sent.has(name) && sent.has(root) ? root : name;
  };
}

/** Tells whether a key of a validation is a parameter of the path or the query, or else a place in the body. */
function createJudge(method: string, request: Request | undefined): (key: string) => boolean {
  const isWithout = method === 'GET' || method === 'HEAD';
  if (isWithout || request === undefined) return () => isWithout;
  const [posted, files] = [request.getPost(), request.getFiles()];
  const [asked, parameters] = [request.getGet(), request.getParameters()];
  return (key) => {
    const [root = key] = splitName(key);
    if (has(posted, root) || has(files, root)) return false;
    return has(asked, root) || has(parameters, root) || (method === 'DELETE' && !request.hasContent());
  };
}

/** Each error of a failure with its place and its rule. */
function listErrors({ validation, message, parameter, header }: Failure, exchange: Exchange): PlacedError[] {
  const { method, request } = exchange;
  const toRule = (text: string, column?: string): RuleNote => findRule(exchange, text, column) ?? OWN;
  const tell = ({ rule, params, suggestion }: RuleNote, detail: string) => ({
    rule,
    detail,
    ...(params && { params }),
    ...(suggestion === undefined ? {} : { suggestion }),
  });
  const isParameter = createJudge(method, request);
  const toParameter = createNaming(exchange.query);
  const placed = listMessages(validation).map(([path, text]): PlacedError => {
    const told = tell(toRule(text, path.at(-1)), text);
    if (isParameter(path[0])) return { parameter: toParameter(path), ...told };
    const posted = request?.getPost();
    const isWhole = path.length === 1 && path[0] === 'body' && !has(posted, 'body');
    return { pointer: isWhole ? '' : toPointer(path, has(posted, path[0])), ...told };
  });
  if (header !== undefined) placed.push({ header, ...tell(toRule(message), message) });
  if (parameter !== undefined && !placed.some((error) => 'parameter' in error && error.parameter === parameter))
    placed.push({ parameter, ...tell(toRule(message), message) });
  return placed;
}

/** Where the site's docs explain a code; undefined if it serves none. */
function findDocs({ code, status }: Failure, { baseUrl, context }: Exchange): string | undefined {
  if (!context.plan.model.settings.api) return undefined;
  return `${baseUrl}/developer/docs/errors/${toDocumentedCode(code, status)}`;
}

/**
 * The error body for programs: it serves clients that know problem details, and clients that read `error`, `message`
 * and `validation`.
 *
 * @see RFC 9457
 */
export function toProblem(failure: Failure, exchange: Exchange): Record<string, unknown> {
  const { status, message, validation, code, hint, trace } = failure;
  const errors = listErrors(failure, exchange);
  const docs = findDocs(failure, exchange);
  return {
    type: docs ?? 'about:blank',
    title: toTitle(status),
    status,
    detail: message,
    instance: exchange.basePath + toLoggedPath(exchange.path, ''),
    code,
    ...(hint === undefined ? {} : { hint }),
    ...(docs === undefined ? {} : { docs }),
    error: true,
    message,
    validation,
    ...(errors.length === 0 ? {} : { errors }),
    ...failure.more,
    ...(trace === undefined ? {} : { trace: { message: trace.message, place: trace.place } }),
  };
}
