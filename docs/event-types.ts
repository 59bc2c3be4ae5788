// The types of Treadle's own events, for src/plan/generated/event-types.ts: printed from the shapes of their stages and results.
import * as z from 'zod';
import { printType } from '../src/cli/client-file/type.ts';
import { toComment, toKey } from '../src/cli/types/print.ts';
import { toList, toRecord } from '../src/model/json/json-parts.ts';
import type { EventFacts } from '../src/plan/event/facts.ts';

const HEAD = `// Made by \`npm run docs\` from the shapes of Treadle's events; change those instead.

/** Treadle's own events with their stages and results, for app.emit. Those on rows of a schema are typed by it. */
export interface TreadleEvents {`;

/** Events whose types depend on a schema. @see ModelEvent in src/plan/emit/typed-emit.ts */
const TYPED_BY_SCHEMA = /^system-model-(?:search|detail|create|update|remove|restore)$/;

/** A key that stands for those of a schema, such as `<column>`, or for any others. */
const isPlaceholder = (name: string): boolean => name.startsWith('<') || name === '…';

/** The input of an event may be a list that nobody may change. */
const printInput = (type: string): string =>
  type
    .replace('true | false', 'boolean')
    .replace(/(\([^()]*\)|\{[^{}]*\}|[\w.]+(?:<[^<>]*>)?)\[\]/g, 'readonly $1[]');

/** The members of an object's type, each after its description; others of any name where the shape takes more. */
function printObject(shape: z.ZodType, io: 'input' | 'output'): string {
  if (shape instanceof z.ZodUndefined) return 'undefined';
  const json = toRecord(z.toJSONSchema(shape, { io, unrepresentable: 'any' }));
  if (json.type !== 'object') return printType(json, new Map());
  const properties = Object.entries(toRecord(json.properties));
  const required = toList(json.required);
  const members = properties.flatMap(([name, property]): string[] => {
    if (isPlaceholder(name)) return [];
    const { description } = toRecord(property);
    const type = printType(property, new Map());
    const member = required.includes(name)
      ? `${toKey(name)}: ${io === 'input' ? printInput(type) : type}`
      : `${toKey(name)}?: ${type === 'unknown' ? type : `${io === 'input' ? printInput(type) : type} | undefined`}`;
    return [...toComment(typeof description === 'string' ? description : '', '      '), `      readonly ${member};`];
  });
  const isOpen = typeof json.additionalProperties === 'object' || properties.some(([name]) => isPlaceholder(name));
  const all = isOpen ? [...members, '      readonly [key: string]: unknown;'] : members;
  return all.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${all.join('\n')}\n    }`;
}

/** `auth-create` with `Results` is `AuthCreateResults`. */
const toName = (event: string, part: 'Stage' | 'Results'): string =>
  event.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()) + part;

/** The text of the file. A type that several events have stands once, named after the first of them. */
export function printEventTypes(events: readonly EventFacts[]): string {
  const own = [...events]
    .filter(({ name, declared }) => declared === undefined && !TYPED_BY_SCHEMA.test(name))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const printed = own.map((event) => ({
    event,
    Stage: printObject(event.stage(), 'input'),
    Results: printObject(event.results(), 'output'),
  }));
  const counts = new Map<string, number>();
  for (const { Stage, Results } of printed)
    for (const text of [Stage, Results]) counts.set(text, (counts.get(text) ?? 0) + 1);
  const shared = new Map<string, string>();
  const print = (text: string, event: string, part: 'Stage' | 'Results'): string => {
    if (!text.includes('\n') || counts.get(text) === 1) return text;
    const name = shared.get(text) ?? toName(event, part);
    shared.set(text, name);
    return name;
  };
  const entries = printed.flatMap(({ event, Stage, Results }) => [
    ...toComment(event.description, '  '),
    `  readonly ${toKey(event.name)}: {`,
    `    readonly stage: ${print(Stage, event.name, 'Stage')};`,
    `    readonly results: ${print(Results, event.name, 'Results')};`,
    '  };',
  ]);
  const types = [...shared].map(([text, name]) => `\ninterface ${name} ${text.replace(/^ {4}/gm, '')}`);
  return `${[HEAD, ...entries, '}', ...types].join('\n')}\n`;
}
