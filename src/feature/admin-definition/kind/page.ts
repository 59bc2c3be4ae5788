import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type DefinitionOf, toFile } from '../../../model/shape.ts';
import type { Crumb } from '../../../page/admin-frame.ts';
import { createRoute, type Exchange, type Step } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import type { FormFacts, Kind } from './control.ts';

const MODEL = '/admin/system/model';

/** Start of the paths of a kind. */
export const toBasePath = (kind: Kind): string => `${MODEL}/${kind}`;

/** Path of a page of a kind, or of one definition. */
export const toPath = (kind: Kind, verb: string, name?: string): string =>
  `${toBasePath(kind)}/${verb}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;

/** English titles of the kinds' lists. */
export const TITLES: Readonly<Record<Kind, string>> = {
  rest: 'REST calls',
  scope: 'Scopes',
  webhook: 'Web hooks',
  app: 'Apps',
  role: 'Roles',
};

/** The route of a page of a kind. No other route answers too, such as that of a schema's data. */
export function createKindRoute(
  method: 'GET' | 'POST',
  path: string,
  description: string,
  step: Step,
): RouteContribution {
  const route = createRoute(method, path, description, step);
  return {
    ...route,
    listen: (context) => async (request, response) => {
      await step(context, { request, response });
      return false;
    },
  };
}

export interface KindPage {
  readonly kind: Kind;
  /** Template below `templates/admin/kind`. */
  readonly name: string;
  /** Translated. */
  readonly title: string;
  readonly data: Row;
  /** Definition whose page is above this one. */
  readonly of?: string;
  /** Template of the buttons at the heading. */
  readonly actions?: string;
}

/** Shows a page of a kind of definition. */
export function showKind(
  context: Context,
  exchange: Exchange,
  { kind, name, title, data, of, actions }: KindPage,
): void {
  const { response } = exchange;
  const shared = {
    kind,
    [`is_${kind}`]: true,
    base: toBasePath(kind),
    message: response.isError() ? response.getMessage() : undefined,
    hasApi: context.plan.model.settings.api,
    ...data,
  };
  const crumbs: Crumb[] = [
    ...(name === 'list' ? [] : [{ label: translate(TITLES[kind]), path: toPath(kind, 'search') }]),
    ...(of === undefined ? [] : [{ label: of, path: toPath(kind, 'detail', of) }]),
  ];
  showPage(context, exchange, {
    frame: 'admin',
    title,
    template: `admin/kind/${name}`,
    data: shared,
    crumbs,
    current: toBasePath(kind),
    scripts: ['developer', 'admin-kind'],
    styles: ['admin-kind'],
    actions: actions && `admin/kind/${actions}`,
  });
}

/** The definitions as the files have them now. */
export async function readFacts({ services, plan }: Context): Promise<FormFacts> {
  const { definitions } = await readProject(services.root);
  return { definitions, plan };
}

/** The definition that a path names; undefined after a page that says that there is none. */
export function findNamed<K extends Kind>(
  context: Context,
  exchange: Exchange,
  { definitions }: FormFacts,
  kind: K,
): { readonly name: string; readonly value: DefinitionOf[K] } | undefined {
  const name = exchange.request.getParameters('id') ?? '';
  const found = definitions[kind].get(name);
  if (found !== undefined) return { name, value: found.value as DefinitionOf[K] };
  const isBroken = definitions.broken.has(`${kind}/${name}`);
  exchange.response.setStatus(isBroken ? 409 : 404);
  const file = toFile(kind, name);
  const text = isBroken
    ? translate('{file} is broken and cannot be shown. Repair the file; "treadle check" names the place.', { file })
    : translate('There is no file {file}.', { file });
  showKind(context, exchange, { kind, name: 'missing', title: translate('Not found'), data: { text } });
  return undefined;
}
