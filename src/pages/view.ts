import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import type Handlebars from 'handlebars';
import type { TemplateDelegate } from 'handlebars';
import type { TemplateReads } from '../check/template-column.ts';
import type { Clock } from '../core/clock.ts';
import { type Problem, TreadleError } from '../core/errors.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import type { Views } from '../plan/feature.ts';
import { createMailView } from './mail-view.ts';
import { type References, type TemplateError, toTemplateError } from './template-error.ts';
import { createHelpers } from './template-helper.ts';
import { findLiteralError } from './template-literal.ts';
import type { HelperSources } from './template-source.ts';
import { type ParsedTemplate, parseTemplate } from './template-text.ts';

export interface TemplateOptions {
  /** Absolute path of the folder with the `.html` files. */
  readonly folder: string;
  readonly clock: Clock;
  /** Base of file names in messages: the project's root. Default: the folder. */
  readonly root?: string;
  /** `.txt` files are plain text: nothing is escaped in them. Default `.html`. */
  readonly extension?: '.html' | '.txt';
  /** Helpers of the project; read with the first template. */
  readonly helpers?: ReadonlyMap<string, OwnHelper>;
  /** What the helpers show besides data. */
  readonly sources?: HelperSources;
  /** Start of the names that {@link Templates.check} reads. Default all. */
  readonly within?: string;
}

/**
 * A folder of templates, read once and then unchanged, so that an instance belongs to one plan and a half-saved
 * file affects nobody. A reload creates a new instance.
 */
export interface Templates {
  /**
   * Renders `<folder>/<name>.html`.
   *
   * @throws VIEW_TEMPLATE_MISSING. @throws VIEW_TEMPLATE_BROKEN with file and line.
   */
  render(name: string, data?: object): string;
  /** True if the template exists. */
  has(name: string): boolean;
  /** Reads and parses the whole folder; returns the errors as problems. */
  check(): readonly Problem[];
  /** Texts that the templates translate, after {@link check}. */
  texts(): readonly string[];
  /** What the templates read, after {@link check}. */
  reads(): TemplateReads;
}

/** Gets the values, and last an object of the named ones. */
type OwnHelper = (...values: readonly unknown[]) => unknown;

const SAFE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

/** Own properties only: `constructor` and `__proto__` are never read from a template's data. */
const RUNTIME = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false } as const;

/** Loaded with the first template: a process without pages saves some 20 ms. */
const load: (name: 'handlebars') => typeof Handlebars = createRequire(import.meta.url);

function listNames({ folder, extension = '.html', within = '' }: TemplateOptions): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
      .map((entry) =>
        relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/').slice(0, -extension.length),
      )
      .filter((name) => name.startsWith(within))
      .sort();
  } catch {
    return [];
  }
}

const toHelper =
  (fn: OwnHelper): Handlebars.HelperDelegate =>
  (...parameters) => {
    const options: Handlebars.HelperOptions = parameters.at(-1);
    return fn(...parameters.slice(0, -1), { ...options.hash });
  };

class TemplateFolder implements Templates {
  readonly #options: TemplateOptions;
  readonly #parsed = new Map<string, ParsedTemplate>();
  readonly #ready = new Map<string, TemplateDelegate>();
  #engine: typeof Handlebars | undefined;

  constructor(options: TemplateOptions) {
    this.#options = options;
  }

  get #handlebars(): typeof Handlebars {
    if (!this.#engine) {
      this.#engine = load('handlebars').create();
      const helpers: Handlebars.HelperDeclareSpec = { ...createHelpers(this.#options.clock, this.#options.sources) };
      this.#engine.registerHelper(helpers);
      for (const [name, fn] of this.#options.helpers ?? []) this.#engine.registerHelper(name, toHelper(fn));
    }
    return this.#engine;
  }

  #path(name: string): string {
    const { folder, extension = '.html' } = this.#options;
    return join(folder, `${name}${extension}`);
  }

  #file(name: string): string {
    const path = this.#path(name);
    return relative(this.#options.root ?? this.#options.folder, path)
      .split(sep)
      .join('/');
  }

  #parse(name: string): ParsedTemplate {
    const known = this.#parsed.get(name);
    if (known) return known;
    const source = this.#read(name);
    try {
      const parsed = parseTemplate(this.#handlebars, source, this.#options.extension === '.txt');
      this.#parsed.set(name, parsed);
      return parsed;
    } catch (error) {
      throw this.#broken(name, toTemplateError(error));
    }
  }

  #read(name: string): string {
    if (SAFE_NAME.test(name)) {
      try {
        return readFileSync(this.#path(name), 'utf8');
      } catch {}
    }
    throw new TreadleError('VIEW_TEMPLATE_MISSING', `There is no template "${name}".`, {
      hint: `Templates: ${listNames(this.#options).join(', ') || '(none)'}.`,
      detail: { file: this.#file(name) },
    });
  }

  /** Compiles a template and its partials; a partial without a file must be defined inline when it is rendered. */
  #prepare(name: string): TemplateDelegate {
    const known = this.#ready.get(name);
    if (known) return known;
    const { references, toDelegate } = this.#parse(name);
    const template = toDelegate(this.#handlebars);
    this.#ready.set(name, template);
    try {
      for (const partial of references.partials) {
        if (this.has(partial)) this.#handlebars.registerPartial(partial, this.#prepare(partial));
      }
    } catch (error) {
      this.#ready.delete(name);
      throw error;
    }
    return template;
  }

  has(name: string): boolean {
    return SAFE_NAME.test(name) && existsSync(this.#path(name));
  }

  render(name: string, data: object = {}): string {
    const template = this.#prepare(name);
    try {
      return template(data, RUNTIME);
    } catch (error) {
      if (error instanceof TreadleError) throw error;
      throw this.#broken(name, toTemplateError(error));
    }
  }

  #broken(name: string, error: TemplateError): TreadleError {
    const file = this.#file(name);
    const place = error.line === undefined ? file : `${file}:${error.line}`;
    return new TreadleError('VIEW_TEMPLATE_BROKEN', `${place}: ${error.message}`, {
      detail: { file, line: error.line, column: error.column, fault: error },
    });
  }

  check(): readonly Problem[] {
    const names = listNames(this.#options);
    const problems: Problem[] = [];
    for (const name of names) {
      try {
        this.#parse(name);
      } catch (error) {
        const detail = error instanceof TreadleError ? error.detail : undefined;
        const { fault }: { readonly fault?: TemplateError } = detail ?? {};
        const hint = 'Close what was opened: every {{#x}} needs its {{/x}}.';
        problems.push(this.#problem('VIEW_TEMPLATE_BROKEN', name, fault ?? toTemplateError(error), hint));
      }
    }
    return [...problems, ...this.#findUnknown(names)];
  }

  texts(): readonly string[] {
    return [...this.#parsed.values()].flatMap(({ references }) => references.texts);
  }

  reads(): TemplateReads {
    const all = [...this.#parsed];
    return {
      paths: all.flatMap(([name, { references }]) =>
        references.paths.map((path) => ({ ...path, file: this.#file(name) })),
      ),
      given: [...all.flatMap(([, { references }]) => references.given), ...Object.keys(this.#handlebars.helpers)],
    };
  }

  /** Finds undefined partials and helpers, before a visitor does. */
  #findUnknown(names: readonly string[]): Problem[] {
    const known = new Set(names);
    for (const { references } of this.#parsed.values()) for (const name of references.inline) known.add(name);
    return [...this.#parsed].flatMap(([name, { references }]) => [
      ...references.partials
        .filter((partial) => !known.has(partial))
        .map((partial) =>
          this.#problem(
            'VIEW_PARTIAL_MISSING',
            name,
            { message: `There is no partial "${partial}".` },
            'Name a template of this folder by its path, without .html.',
          ),
        ),
      ...references.helpers
        .filter((helper) => !Object.hasOwn(this.#handlebars.helpers, helper.name))
        .map((helper) =>
          this.#problem(
            'VIEW_HELPER_UNKNOWN',
            name,
            { ...helper, message: `There is no helper "${helper.name}".` },
            toDidYouMean(
              helper.name,
              Object.keys(this.#handlebars.helpers)
                .filter((known) => !/helperMissing$/i.test(known))
                .sort(),
            ),
          ),
        ),
      ...this.#findErrors(name, references.literals),
    ]);
  }

  /** Calls of helpers that name something unknown, such as a file. A helper of the project has its own rules. */
  #findErrors(name: string, literals: References['literals']): Problem[] {
    const { sources = {}, helpers } = this.#options;
    return literals.flatMap((literal) => {
      const fault = helpers?.has(literal.name) ? undefined : findLiteralError(literal, sources);
      if (!fault) return [];
      const problem = this.#problem(fault.code, name, { ...literal, message: fault.message }, fault.hint);
      return [fault.severity === undefined ? problem : { ...problem, severity: fault.severity }];
    });
  }

  #problem(code: string, name: string, fault: TemplateError, hint: string): Problem {
    const { message, line, column } = fault;
    return {
      code,
      file: this.#file(name),
      path: '',
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      message,
      hint,
    };
  }
}

export function createTemplates(options: TemplateOptions): Templates {
  return new TemplateFolder(options);
}

/** A folder of pages with the mails in it. */
function createFolderViews(options: TemplateOptions, mailFolder: string) {
  const html = createTemplates(options);
  const text = createTemplates({ ...options, extension: '.txt', within: mailFolder });
  return {
    html,
    renderMail: createMailView({ html, text, mailFolder }),
    check: () => [...html.check(), ...text.check()],
    texts: () => [...html.texts(), ...text.texts()],
    reads: () => [html.reads(), text.reads()],
  };
}

/** Treadle's own pages, `templates/<feature>/<name>.html`; `reload` reads them again. */
export function createViews(options: TemplateOptions): Views & {
  check(): readonly Problem[];
  texts(): readonly string[];
  reload(): void;
  /** Renders a template by its whole name. */
  renderPart(name: string, data: object): string;
} {
  const sources = { ...options.sources, renderPart };
  const make = () => createFolderViews({ ...options, sources }, 'mail/message/');
  const state = { views: make() };
  function renderPart(name: string, data: object): string {
    return state.views.html.render(name, data);
  }
  return {
    render: (feature, name, data) => state.views.html.render(`${feature}/${name}`, data),
    renderMail: (name, data) => state.views.renderMail(name, data),
    renderPart,
    check: () => state.views.check(),
    texts: () => state.views.texts(),
    reload() {
      state.views = make();
    },
  };
}

/** The templates of a project's package: `<package>/src/template/<name>.html`. Created for each plan. */
export function createPackageView(options: TemplateOptions): {
  view(name: string, data?: object): string;
  has(name: string): boolean;
  readonly renderMail: Views['renderMail'];
  check(): readonly Problem[];
  /** Texts that the templates translate, after `check`. */
  texts(): readonly string[];
  /** What pages and mails read, after `check`. */
  reads(): readonly TemplateReads[];
} {
  const folder = join(options.folder, 'src', 'template');
  const { html, renderMail, ...checked } = createFolderViews({ root: options.folder, ...options, folder }, 'mail/');
  return { view: (name, data) => html.render(name, data), has: (name) => html.has(name), renderMail, ...checked };
}
