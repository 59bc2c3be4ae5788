import type Handlebars from 'handlebars';
import type { TemplateDelegate } from 'handlebars';
import { BoundedMap } from '../core/bounded-map.ts';
import { once } from '../core/memoize.ts';
import { findReferences, type References } from './template-error.ts';

/** A text as Handlebars reads it, without the helpers and partials of a folder. */
export interface ParsedTemplate {
  readonly references: References;
  /** Binds the compiled text to an engine's helpers and partials. It is compiled when it is first rendered. */
  toDelegate(engine: typeof Handlebars): TemplateDelegate;
}

/** What `compile` of Handlebars uses; its types lack it. */
interface Compilers {
  readonly Compiler: new () => { compile(program: hbs.AST.Program, options: object): object };
  readonly JavaScriptCompiler: new () => {
    compile(environment: object, options: object, context: undefined, asObject: true): TemplateSpecification;
  };
}

/** More than the templates of a site, so that a text that is shown stays. */
const CACHED_TEXTS = 1000;
/** `treadle dev` reads every template again at each saved file, and most are unchanged. */
const texts = new BoundedMap<ParsedTemplate>(CACHED_TEXTS);

function compile(engine: typeof Handlebars, program: hbs.AST.Program, noEscape: boolean): TemplateSpecification {
  const { Compiler, JavaScriptCompiler } = engine as unknown as Compilers;
  const options = { noEscape, data: true };
  const environment = new Compiler().compile(program, options);
  return new JavaScriptCompiler().compile(environment, options, undefined, true);
}

function parse(engine: typeof Handlebars, source: string, noEscape: boolean): ParsedTemplate {
  const program = engine.parse(source);
  let compiled: TemplateSpecification | undefined;
  return {
    references: findReferences(program),
    toDelegate(own) {
      const find = once(() => {
        compiled ??= compile(own, program, noEscape);
        return own.template(compiled) as TemplateDelegate & Steps;
      });
      const render: TemplateDelegate = (...parameters) => find()(...parameters);
      return Object.assign(render, {
        _setup: (options: unknown) => find()._setup(options),
        _child: (...parameters: readonly unknown[]) => find()._child(...parameters),
      });
    },
  };
}

/** What Handlebars calls of a template that is a partial. */
interface Steps {
  _setup(options: unknown): unknown;
  _child(...parameters: readonly unknown[]): unknown;
}

/** Parses a template, unless this process has done so. @throws the error of Handlebars. */
export function parseTemplate(engine: typeof Handlebars, source: string, noEscape: boolean): ParsedTemplate {
  return texts.getOrCreate(`${noEscape} ${source}`, () => parse(engine, source, noEscape));
}
