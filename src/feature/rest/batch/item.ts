import { toOpenAccess } from '../../../access/grant.ts';
import { toExample } from '../../../core/bus/pattern.ts';
import { Request } from '../../../core/request/request.ts';
import type { RequestSource } from '../../../core/request/request-source.ts';
import { Response } from '../../../core/request/response.ts';
import { currentScope } from '../../../core/scope.ts';
import { shareCleaned } from '../../../model/field/html-ahead.ts';
import { shareHashes } from '../../../model/field/password-hashes.ts';
import type { CallPlan, Context } from '../../../plan/feature.ts';
import type { Caller } from '../call-step.ts';

/** One call inside another request. */
export interface Item {
  readonly call: CallPlan;
  /** Texts of the path's parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly ifMatch?: string | undefined;
  /** True for a child that is written with its parent: it brings no children itself. */
  readonly isChild?: boolean;
}

/** The request that an item comes in. */
export interface ItemSender {
  readonly request: Request;
  /** As the steps of that request found it: an item shows no credentials of its own. */
  readonly caller: Caller;
}

/** The request of an item. Its call takes the caller as it is, and answers the item like a request of its own. */
export class ItemRequest extends Request {
  readonly callName: string;
  readonly caller: Caller;
  readonly isChild: boolean;

  constructor(source: RequestSource, { call, isChild = false }: Item, caller: Caller) {
    super(source);
    this.callName = call.name;
    this.caller = caller;
    this.isChild = isChild;
  }
}

/** Headers of the request that are not of its items. */
const PASSING =
  /^(?:content-(?:type|length|encoding)|if-(?:match|none-match)|idempotency-key|prefer|expect|transfer-encoding)$/;

const toPlainName = (name: string): string =>
  name
    .replace(/^HTTP_/, '')
    .replaceAll('_', '-')
    .toLowerCase();

/** What `getServer` gives for an item: that of the whole request, with method, path and headers of the item. */
function toServerData({ request }: ItemSender, method: string, path: string, { body, ifMatch }: Item) {
  const whole = Object.entries(request.getServer() as Readonly<Record<string, unknown>>);
  const type = body === undefined ? '' : 'application/json';
  return {
    ...Object.fromEntries(whole.filter(([name]) => !PASSING.test(toPlainName(name)))),
    REQUEST_METHOD: method,
    REQUEST_URI: path,
    QUERY_STRING: '',
    CONTENT_TYPE: type,
    'content-type': type,
    ...(ifMatch === undefined ? {} : { HTTP_IF_MATCH: ifMatch, 'if-match': ifMatch }),
  };
}

/** The method of an item's call; of one that takes any, POST. */
const toItemMethod = ({ definition: { method } }: CallPlan): string =>
  method === 'all' ? 'POST' : method.toUpperCase();

/** The path of a call with its parameters. */
const toItemPath = ({ path }: CallPlan, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/:([A-Za-z_][A-Za-z0-9_]*)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

/** True if no code of the project listens to the route of a call. */
export const isOwnRoute = ({ plan: { bus } }: Context, call: CallPlan): boolean =>
  bus.match(toItemMethod(call), toExample(call.path)).isOwn;

/** True if the item failed, or the project's code answered it in a form that only a whole response can have. */
export const isFailed = (response: Response): boolean =>
  response.isError() ||
  response.hasContent() ||
  response.getStream() !== undefined ||
  response.isRedirect() ||
  !response.hasJson();

/**
 * Runs one item as the route of its call, in the open transaction: with the project's listeners of that route, and with the
 * steps of the call that judge scope, body, rows and version.
 */
export async function runItem(context: Context, sender: ItemSender, item: Item): Promise<Response> {
  const { bus } = context.plan;
  const method = toItemMethod(item.call);
  const path = toItemPath(item.call, item.parameters);
  const { body } = item;
  const source: RequestSource = {
    method,
    path,
    server: () => toServerData(sender, method, path, item),
    isGone: () => sender.request.isGone(),
    ...(body === undefined ? {} : { post: () => ({ ...body }), body: () => JSON.stringify(body) }),
  };
  const request = new ItemRequest(source, item, sender.caller);
  shareHashes(sender.request, request);
  shareCleaned(sender.request, request);
  const response = new Response(request);
  const set = bus.match(method, path);
  const access = toOpenAccess(context, set.isOwn);
  await currentScope.run({ ...currentScope.getStore(), request, response, access }, () =>
    bus.emitTo(set.entries, `${method} ${path}`, request, response),
  );
  return response;
}
