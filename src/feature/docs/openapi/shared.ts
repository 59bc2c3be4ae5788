import { isSameJson } from '../../../model/json/json-value.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import { componentRef } from './parts.ts';

type Kind = 'schemas' | 'parameters';

/** Components that operations make while they are built: what several of them have stands once. */
export class SharedComponents {
  readonly #parameters = new Map<object, readonly Json[]>();
  readonly #examples = new Map<string, Json>();
  readonly #kinds: Readonly<Record<Kind, Map<string, Json>>> = { schemas: new Map(), parameters: new Map() };

  /** A reference to the component. The part itself, if another part has the name. */
  share(kind: Kind, name: string, part: Json): Json {
    const parts = this.#kinds[kind];
    const known = parts.get(name);
    if (known !== undefined && known !== part && !isSameJson(known, part)) return part;
    if (known === undefined) parts.set(name, part);
    return componentRef(kind, name);
  }

  /** The parts that facts make, which several calls have; each is made once. */
  partsOf(facts: object, make: () => readonly Json[]): readonly Json[] {
    const parts = this.#parameters.get(facts) ?? make();
    this.#parameters.set(facts, parts);
    return parts;
  }

  /** An example that several calls have, by what it shows; it is made once. */
  example(key: string, make: () => Json): Json {
    const example = this.#examples.get(key) ?? make();
    this.#examples.set(key, example);
    return example;
  }

  list(kind: Kind): Readonly<Record<string, Json>> {
    return Object.fromEntries(this.#kinds[kind]);
  }
}
