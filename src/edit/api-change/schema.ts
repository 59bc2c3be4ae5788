import { toList, toRecord } from '../../model/json/json-parts.ts';
import { isSameJson } from '../../model/json/json-value.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { type Comparison, type Direction, follow, type Level } from './change.ts';

/** The place of a comparison of two schemas. */
export interface Spot {
  readonly call: string;
  readonly direction: Direction;
  /** Names of the path to this schema. */
  readonly path: readonly string[];
  /** References on the way here, so that a recursive schema ends. */
  readonly refs: readonly string[];
}

/** Merges a schema with its references and `allOf`. */
function flatten(document: Json, node: unknown): Json {
  const { allOf, ...own } = follow(document, node);
  if (allOf === undefined) return own;
  const parts = [own, ...toList(allOf).map((part) => flatten(document, part))];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => toRecord(properties))),
    required: parts.flatMap(({ required }) => toList(required)),
  };
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value;

/** The types that a value may have; empty for any. */
function listTypes(schema: Json, document: Json): string[] {
  if ('type' in schema) return [schema.type].flat().map(String);
  const values = listValues(schema);
  if (values) return [...new Set(values.map(typeOf))];
  const parts = [...toList(schema.anyOf), ...toList(schema.oneOf)];
  const types = parts.map((part) => listTypes(flatten(document, part), document));
  if (types.some((list) => list.length === 0)) return [];
  return [...new Set(types.flat())];
}

/** The complete list of allowed values; undefined without one. */
function listValues(schema: Json): readonly unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

const isIncluded = (type: string, types: readonly string[]): boolean =>
  types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));

const words = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

class SchemaComparison {
  readonly #comparison: Comparison;

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
  }

  compare(before: unknown, after: unknown, spot: Spot): void {
    const { before: documentBefore, after: documentAfter } = this.#comparison;
    const was = flatten(documentBefore, before);
    const is = flatten(documentAfter, after);
    const { $ref } = toRecord(after);
    if (typeof $ref === 'string' && spot.refs.includes($ref)) return;
    const inner = typeof $ref === 'string' ? { ...spot, refs: [...spot.refs, $ref] } : spot;
    this.#compareTypes(was, is, inner);
    this.#compareValues(was, is, inner);
    if (spot.direction === 'request') this.#compareBounds(was, is, inner);
    this.#compareProperties(was, is, inner);
    this.#compareChoices(was, is, inner);
    if ('items' in was && 'items' in is) this.compare(was.items, is.items, { ...inner, path: [...spot.path, '[]'] });
  }

  #add(spot: Spot, level: Level, code: string, message: string, name?: string): void {
    const place = [...spot.path, ...(name === undefined ? [] : [name])].join('.').replace(/\.\[\]/g, '[]');
    const subject = place === '' ? 'the body' : place;
    const change = { level, code: `${spot.direction}-${code}`, place, message: `${subject} ${message}` };
    this.#comparison.add(spot.call, change);
  }

  #compareTypes(was: Json, is: Json, spot: Spot): void {
    const before = listTypes(was, this.#comparison.before);
    const after = listTypes(is, this.#comparison.after);
    const gone =
      before.length === 0 && after.length > 0 ? ['any other'] : before.filter((type) => !isIncluded(type, after));
    const come =
      after.length === 0 && before.length > 0 ? ['any other'] : after.filter((type) => !isIncluded(type, before));
    if (gone.length === 0 && come.length === 0) return;
    const isBreaking = spot.direction === 'request' ? gone.length > 0 : come.length > 0;
    const printTypes = (types: readonly string[]): string => (types.length === 0 ? 'any JSON' : types.join(' or '));
    const message = `was ${printTypes(before)} and is ${printTypes(after)} now`;
    this.#add(spot, isBreaking ? 'breaking' : 'additive', 'type-changed', message);
  }

  #compareValues(was: Json, is: Json, spot: Spot): void {
    const before = listValues(was);
    const after = listValues(is);
    const isRequest = spot.direction === 'request';
    if (before === undefined && after === undefined) return;
    if (before === undefined || after === undefined) {
      const level = (after === undefined) === isRequest ? 'additive' : isRequest ? 'breaking' : 'risky';
      const message = after ? `must be one of ${words(after)} now` : 'is no longer one of a fixed list';
      this.#add(spot, level, after ? 'enum-added' : 'enum-removed', message);
      return;
    }
    const gone = before.filter((value) => !after.some((other) => isSameJson(other, value)));
    const come = after.filter((value) => !before.some((other) => isSameJson(other, value)));
    if (gone.length > 0) {
      this.#add(spot, isRequest ? 'breaking' : 'additive', 'enum-narrowed', `can no longer be ${words(gone)}`);
    }
    if (come.length > 0) {
      this.#add(spot, isRequest ? 'additive' : 'risky', 'enum-widened', `can be ${words(come)} too`);
    }
  }

  #compareBounds(was: Json, is: Json, spot: Spot): void {
    for (const [word, isLower] of BOUNDS) {
      const [before, after] = [was[word], is[word]].map((bound) => (typeof bound === 'number' ? bound : undefined));
      if (before === after) continue;
      const isTighter = after !== undefined && (before === undefined || (isLower ? after > before : after < before));
      const message = after === undefined ? `no longer has ${word}` : `has ${word} ${after} now`;
      this.#add(spot, isTighter ? 'breaking' : 'additive', isTighter ? 'bound-tightened' : 'bound-loosened', message);
    }
    for (const word of ['pattern', 'format', 'not']) {
      if (isSameJson(was[word], is[word])) continue;
      const message = word in is ? `must meet the ${word} ${JSON.stringify(is[word])} now` : `no longer has ${word}`;
      this.#add(spot, word in is ? 'risky' : 'additive', 'rule-changed', message);
    }
  }

  #compareProperties(was: Json, is: Json, spot: Spot): void {
    const before = toRecord(was.properties);
    const after = toRecord(is.properties);
    const needed = { before: toList(was.required), after: toList(is.required) };
    const isRequest = spot.direction === 'request';
    for (const name of Object.keys(before)) {
      if (name in after) continue;
      this.#add(spot, 'breaking', 'field-removed', isRequest ? 'is no longer accepted' : 'is gone', name);
    }
    for (const name of Object.keys(after)) {
      const isNeeded = needed.after.includes(name);
      if (!(name in before)) {
        const isBreaking = isRequest && isNeeded;
        const message = isBreaking ? 'is new and required' : 'is new';
        this.#add(spot, isBreaking ? 'breaking' : 'additive', 'field-added', message, name);
        continue;
      }
      this.#compareNeed(spot, name, needed.before.includes(name), isNeeded);
      this.compare(before[name], after[name], { ...spot, path: [...spot.path, name] });
    }
  }

  #compareNeed(spot: Spot, name: string, wasNeeded: boolean, isNeeded: boolean): void {
    if (wasNeeded === isNeeded) return;
    const isBreaking = (spot.direction === 'request') === isNeeded;
    const isRequest = spot.direction === 'request';
    const code = isNeeded ? 'field-became-required' : 'field-became-optional';
    const needed = isRequest ? 'is required now' : 'is always there now';
    const left = isRequest ? 'may be left out now' : 'may be missing now';
    this.#add(spot, isBreaking ? 'breaking' : 'additive', code, isNeeded ? needed : left, name);
  }

  /** Alternatives are compared in order; added or removed ones are found by their types. */
  #compareChoices(was: Json, is: Json, spot: Spot): void {
    for (const word of ['anyOf', 'oneOf']) {
      const [before, after] = [toList(was[word]), toList(is[word])];
      if (before.length !== after.length) continue;
      for (const [index, part] of before.entries()) this.compare(part, after[index], spot);
    }
  }
}

/** Keywords of bounds, with true for a lower bound. */
const BOUNDS: readonly (readonly [string, boolean])[] = [
  ['minLength', true],
  ['minimum', true],
  ['exclusiveMinimum', true],
  ['minItems', true],
  ['maxLength', false],
  ['maximum', false],
  ['exclusiveMaximum', false],
  ['maxItems', false],
];

/** Finds the changes between two schemas at one place. Requests and answers are judged in opposite directions. */
export function compareSchemas(
  comparison: Comparison,
  before: unknown,
  after: unknown,
  spot: Omit<Spot, 'refs'>,
): void {
  new SchemaComparison(comparison).compare(before, after, { ...spot, refs: [] });
}
