import { join } from 'node:path';
import type { TemplateReads } from '../check/template-column.ts';
import type { Clock } from '../core/clock.ts';
import type { Problem } from '../core/errors.ts';
import { packageRoot } from '../core/file/package-root.ts';
import type { Request } from '../core/request/request.ts';
import type { Model } from '../model/model.ts';
import type { RenderError, RenderMail } from '../plan/feature.ts';
import { createAssets } from '../project/asset.ts';
import { hasSharp } from '../project/image.ts';
import { findPackages } from '../project/package.ts';
import type { HelperSources } from './template-source.ts';
import { createPackageView, createViews, type TemplateOptions } from './view.ts';

export interface ProjectViewOptions {
  /** Project root, absolute. */
  readonly root: string;
  readonly clock: Clock;
  readonly isDevelopment: boolean;
  /** Helpers of the project; filled while its code loads. */
  readonly helpers: NonNullable<TemplateOptions['helpers']>;
}

/** The templates of all packages of a project. Created for each plan. */
export interface ProjectViews {
  /** The model that they belong to, once it is linked. */
  use(model: Model | undefined, formToken?: HelperSources['formToken']): void;
  /** Renders `src/template/<name>.html` of a package's folder. */
  view(folder: string, name: string, data: object): string;
  readonly renderMail: RenderMail;
  readonly renderError: RenderError;
  /** Reads and parses every template. */
  check(): Problem[];
  /** Texts that the templates translate, after `check`. */
  texts(): string[];
  /** What pages and mails read, after `check`. */
  reads(): TemplateReads[];
}

export function createProjectViews({ root, clock, isDevelopment, helpers }: ProjectViewOptions): ProjectViews {
  const assets = createAssets({ root, clock, isDevelopment });
  const state: { model: Model | undefined; formToken: HelperSources['formToken'] } = {
    model: undefined,
    formToken: undefined,
  };
  const model = (): Model | undefined => state.model;
  const own = createViews({
    folder: join(packageRoot, 'templates'),
    clock,
    root: packageRoot,
    sources: { assets, model },
  });
  const sources = {
    assets,
    hasSharp: () => hasSharp(root),
    model,
    renderPart: own.renderPart,
    formToken: (request: Request) => state.formToken?.(request) ?? '',
  };
  const make = (folder: string) => createPackageView({ folder, clock, root, helpers, sources });
  const views = new Map(findPackages(root).map(({ folder }) => [folder, make(folder)] as const));
  const www = (): ReturnType<typeof make> | undefined => views.get(join(root, 'app', 'www'));
  return {
    use: (linked, formToken) => Object.assign(state, { model: linked, formToken }),
    view: (folder, name, data) => (views.get(folder) ?? make(folder)).view(name, data),
    renderMail: (name, data) => www()?.renderMail(name, data),
    renderError(status, data) {
      const pages = www();
      const name = [`${status}`, 'error'].find((page) => pages?.has(page));
      return name === undefined ? undefined : pages?.view(name, data);
    },
    check: () => [...views.values()].flatMap((view) => view.check()),
    texts: () => [...views.values()].flatMap((view) => view.texts()),
    reads: () => [...views.values()].flatMap((view) => view.reads()),
  };
}
