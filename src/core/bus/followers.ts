import { BoundedMap } from '../bounded-map.ts';
import type { Request } from '../request/request.ts';
import type { Response } from '../request/response.ts';
import { compileNamePattern, isNamePattern } from './pattern.ts';

/** The third argument of a listener. */
export interface Meta {
  /** Full name of the event, such as `system-model-create` where the listener heard `system-model-*`. */
  readonly event: string;
  /** What the stars of the listener's pattern matched, from the left. */
  readonly variables: readonly string[];
}

/** A function that hears events. It may be asynchronous. Returning `false`, or setting an error, stops the later listeners. */
export type Listener = (request: Request, response: Response, meta: Meta) => unknown;

/** What follows an event: a name, a pattern or a regular expression, and schemas. */
interface EventSelector {
  readonly event: string | RegExp;
  /** Schemas of the stage that it follows; undefined: every stage. */
  readonly schemas: ReadonlySet<string> | undefined;
}

/** A listener that runs after an event's own behaviour, in the same transaction. */
export interface Follower extends EventSelector {
  readonly listener: Listener;
  /** `file:line` of the project's code. */
  readonly place: string | undefined;
}

/** Stage keys that name a schema: of rows, and of the two ends of a link. */
const SCHEMA_KEYS = ['schema', 'schema1', 'schema2'] as const;
const MEMO_LIMIT = 1000;
const NONE: readonly never[] = Object.freeze([]);

function toTest(event: string | RegExp): (name: string) => boolean {
  if (event instanceof RegExp) {
    const plain = new RegExp(event.source, event.flags.replace(/[gy]/g, ''));
    return (name) => plain.test(name);
  }
  if (!isNamePattern(event)) return (name) => name === event;
  const pattern = compileNamePattern(event);
  return (name) => pattern.test(name);
}

/** Whether the stage is of one of the schemas; undefined: of any. */
export const isFor = ({ schemas }: Pick<EventSelector, 'schemas'>, request: Request): boolean =>
  schemas === undefined || SCHEMA_KEYS.some((key) => schemas.has(String(request.getStage(key))));

/** What follows events, in order of registration. */
export class Followers<F extends EventSelector = Follower> {
  readonly #all: { readonly follower: F; readonly test: (name: string) => boolean }[] = [];
  readonly #memo = new BoundedMap<readonly F[]>(MEMO_LIMIT);

  add(follower: F): void {
    this.#all.push({ follower, test: toTest(follower.event) });
    this.#memo.clear();
  }

  list(): readonly F[] {
    return this.#all.map(({ follower }) => follower);
  }

  #list(event: string): readonly F[] {
    if (this.#all.length === 0) return NONE;
    return this.#memo.getOrCreate(event, () =>
      this.#all.filter(({ test }) => test(event)).map(({ follower }) => follower),
    );
  }

  /** Whether any follows an event, whatever the stage; with a schema, whether any follows it on that schema. */
  hasFollower(event: string, schema?: string): boolean {
    return this.#list(event).some(
      ({ schemas }) => schema === undefined || schemas === undefined || schemas.has(schema),
    );
  }

  /** Those that follow an event with the request's stage. */
  find(event: string, request: Request): readonly F[] {
    const listed = this.#list(event);
    return listed.length === 0 ? NONE : listed.filter((follower) => isFor(follower, request));
  }
}
