import { isSameJson } from '../../../model/json/json-value.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import { componentRef } from './parts.ts';

type Kind = 'schemas' | 'parameters';

/** Components that operations make while they are built: what several of them have stands once. */
export class SharedComponents {
  readonly #kinds: Readonly<Record<Kind, Map<string, Json>>> = { schemas: new Map(), parameters: new Map() };

  /** A reference to the component. The part itself, if another part has the name. */
  share(kind: Kind, name: string, part: Json): Json {
    const parts = this.#kinds[kind];
    const known = parts.get(name);
    if (known !== undefined && !isSameJson(known, part)) return part;
    if (known === undefined) parts.set(name, part);
    return componentRef(kind, name);
  }

  list(kind: Kind): Readonly<Record<string, Json>> {
    return Object.fromEntries(this.#kinds[kind]);
  }
}
