import type * as z from 'zod';
import type { SchemaModel } from '../../model/model.ts';
import type { CallShape } from '../call/call-shape.ts';

/**
 * What an event does to the data. `reads`: nothing. `writes`: it changes something, and the bus wraps it in a transaction where a hook or an
 * `after` listener follows. `self`: its behaviour opens its own transaction and calls `context.committing` in it. `silent`: it
 * changes nothing that a hook could report, such as a token's lookup. `queues`: it stores work, at once or with the write that is about
 * to happen. `own`: an event of the project's code.
 */
export type EventKind = 'reads' | 'writes' | 'self' | 'silent' | 'queues' | 'own';

/** Whether a hook can report what an event does. */
export const changesData = ({ kind }: { readonly kind: EventKind }): boolean =>
  kind === 'writes' || kind === 'self' || kind === 'own';

/** What is known of an event: for `treadle events`, the docs and checks. */
export interface EventFacts {
  readonly name: string;
  /** One sentence for `treadle events` and the docs. */
  readonly description: string;
  readonly kind: EventKind;
  /** True if the behaviour checks the stage itself. Any other `-search` refuses a stage key that the shape does not have. */
  readonly checksStage?: true;
  /** The shape of the stage; with a schema, of an event on its rows. */
  stage(schema?: SchemaModel): z.ZodObject;
  /** Names of the stage's keys, where they are known without the shape: at a start nothing needs that. */
  keys?(schema?: SchemaModel): readonly string[];
  results(schema?: SchemaModel): z.ZodType;
  /** The shapes of an event that the project's code declares; absent for Treadle's own. */
  readonly declared?: { readonly stage: CallShape | undefined; readonly results: CallShape | undefined };
}

/** An event that the project's code declares. */
export interface DeclaredEvent extends EventFacts {
  readonly declared: NonNullable<EventFacts['declared']>;
  /** `file:line` of the code. */
  readonly place: string | undefined;
}
