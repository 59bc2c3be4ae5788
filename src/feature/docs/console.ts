import type { CallFacts, Method } from './call-facts.ts';
import { print } from './page/page.ts';
import { createSampleBody, pickMethod } from './sample/call-sample.ts';
import type { ParameterFacts } from './search-parameters.ts';
import type { Source } from './source.ts';

interface ConsoleField {
  readonly id: string;
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly value: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Values to choose from, if there are few. */
  readonly options: readonly string[];
}

/** The form on a call's page that sends a real call. */
export interface Console {
  /** Server of the calls: empty for the page's own server. */
  readonly server: string;
  readonly path: string;
  readonly access: string;
  readonly methods: readonly { readonly name: string; readonly isPicked: boolean }[];
  readonly hasChoice: boolean;
  /** Fields shown at once: the path, and required values. */
  readonly fields: readonly ConsoleField[];
  readonly more: readonly ConsoleField[];
  readonly moreCount: number;
  readonly body: string | undefined;
  readonly rows: number;
  readonly isUser: boolean;
  readonly isApp: boolean;
  readonly isElsewhere: boolean;
  readonly changes: boolean;
}

const toField = (
  { name, place, sample, isRequired, description, schema }: ParameterFacts,
  index: number,
): ConsoleField => ({
  id: `try-${index + 1}`,
  name,
  place,
  value: place === 'path' || isRequired ? sample : '',
  isRequired,
  description,
  options: Array.isArray(schema.enum) ? schema.enum.filter((value) => value !== null).map(String) : [],
});

/** Undefined if the docs know no server to call. */
export function createConsole(facts: CallFacts, { server }: Source): Console | undefined {
  if (server === undefined) return undefined;
  const { call, methods, parameters, body } = facts;
  const picked: Method = pickMethod(facts);
  const fields = parameters.map(toField);
  const more = fields.filter(({ isRequired }) => !isRequired);
  const sample = body.length > 0 ? print(createSampleBody(facts)) : undefined;
  const { access } = call.definition;
  return {
    server,
    path: call.path,
    access,
    methods: methods.map((name) => ({ name: name.toUpperCase(), isPicked: name === picked })),
    hasChoice: methods.length > 1,
    fields: fields.filter(({ isRequired }) => isRequired),
    more,
    moreCount: more.length,
    body: sample,
    rows: Math.min(16, Math.max(4, (sample ?? '').split('\n').length + 1)),
    isUser: access === 'user',
    isApp: access === 'app',
    isElsewhere: /^https?:/.test(server),
    changes: picked !== 'get',
  };
}
