import * as z from 'zod';
import { isThenable } from '../../core/continue-with.ts';
import { memoize, once } from '../../core/memoize.ts';
import type { Refusal } from '../../core/request/response.ts';
import { noteOthers } from '../../core/text/rule-note.ts';
import { toInvalidMessage } from '../../model/field/validate.ts';
import type { SchemaModel } from '../../model/model.ts';
import { toShapeWords } from '../call/shape-words.ts';
import type { Context, EventExchange, EventRecord } from '../feature.ts';
import type { EventKind } from './facts.ts';

/** A failure that the caller is told: status, message and messages by stage key. */
export class Rejection {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    this.refusal = refusal;
  }
}

/** Ends an event with a failure that the caller is told: `return reject({ status: 404, message: 'There is no job 7.' })`. */
export const reject = (refusal: Refusal): Rejection => new Rejection(refusal);

/** As {@link reject}, for values that are not valid, by stage key. */
export const rejectValues = (validation: Readonly<Record<string, string>>): Rejection =>
  reject(toValuesRefusal(validation));

function toValuesRefusal(validation: Readonly<Record<string, string>>): Refusal {
  noteOthers(validation);
  return { status: 422, code: 'VALIDATION_FAILED', message: toInvalidMessage(validation), validation };
}

/** What a behaviour returns: its results, a failure, or undefined if it has set the response itself. */
export type Outcome<Results> = Results | Rejection | undefined;

type StageShape = z.ZodObject;
type ResultShape = z.ZodType;

/** An event of Treadle: its name, the shapes of its stage and results, and its behaviour. */
export interface EventDefinition<Stage extends StageShape, Results extends ResultShape> {
  readonly name: string;
  /** One sentence for `treadle events` and the docs. */
  readonly description: string;
  readonly kind: EventKind;
  /** Default 0; a higher one runs first. */
  readonly priority?: number;
  /**
   * Shape of the stage, made at first use. Each key has a description. Keys that it lacks do not reach {@link run}; a `-search` refuses
   * those that a request brought. For an event on rows, a schema gives the keys of that schema.
   */
  stage(schema?: SchemaModel): Stage;
  /** Shape of the results, with a sentence about them as its description. */
  results(schema?: SchemaModel): Results;
  /** True if the behaviour checks the stage itself: {@link run} gets it as it is. For the checks of tokens, which each call runs. */
  readonly checksStage?: true;
  /** Does the work. Values are as the stage's shape makes them. */
  run(
    stage: z.output<Stage>,
    context: Context,
    exchange: EventExchange,
  ): Outcome<z.input<Results>> | Promise<Outcome<z.input<Results>>>;
}

/** Makes a shape once, and once for each schema. */
function keep<Shape>(make: (schema?: SchemaModel) => Shape): (schema?: SchemaModel) => Shape {
  const general = once(() => make());
  const bySchema = memoize((schema: SchemaModel) => make(schema));
  return (schema) => (schema === undefined ? general() : bySchema(schema));
}

/** A stage that does not fit its shape, by the name of its key. */
function toStageRefusal({ issues }: z.ZodError): Refusal {
  const messages: Record<string, string> = {};
  for (const { path, message } of issues) messages[path.length === 0 ? 'stage' : path.join('.')] ??= message;
  noteOthers(messages, () => ({ rule: 'shape' }));
  return toValuesRefusal(messages);
}

function finish({ response }: EventExchange, outcome: Outcome<unknown>): void {
  if (outcome instanceof Rejection) response.refuse(outcome.refusal);
  else if (outcome !== undefined) response.succeed(outcome);
}

/** Makes the record of an event: from its shapes come the check of its stage, `treadle events`, the docs and the types of `emit`. */
export function defineEvent<Stage extends StageShape, Results extends ResultShape>(
  definition: EventDefinition<Stage, Results>,
): EventRecord {
  const { run, stage: makeStage, results: makeResults, ...facts } = definition;
  const stage = keep(makeStage);
  return {
    ...facts,
    stage,
    results: keep(makeResults),
    listen: (context) => (request, response, meta) => {
      const exchange: EventExchange = { event: meta.event, request, response };
      const input: unknown = request.getStage();
      const parsed: z.ZodSafeParseResult<z.output<Stage>> = facts.checksStage
        ? { success: true, data: input as z.output<Stage> }
        : stage().safeParse(input, { error: toShapeWords });
      if (!parsed.success) return response.refuse(toStageRefusal(parsed.error));
      const outcome = run(parsed.data, context, exchange);
      return isThenable(outcome) ? outcome.then((settled) => finish(exchange, settled)) : finish(exchange, outcome);
    },
  };
}

/** An event on rows: the keys of its stage, whose shapes only the docs and the types need. */
interface RowEventDefinition extends Omit<EventRecord, 'checksStage' | 'stage' | 'keys'> {
  keys(schema?: SchemaModel): Readonly<Record<string, () => z.ZodType>>;
}

/**
 * Makes the record of an event on rows. Its listener reads the stage itself, because the keys depend on the schema and each microsecond
 * counts: between it and the bus is nothing.
 */
export const defineRowEvent = ({ keys, results, ...facts }: RowEventDefinition): EventRecord => ({
  ...facts,
  checksStage: true,
  keys: (schema) => Object.keys(keys(schema)),
  stage: keep((schema) =>
    z.object(Object.fromEntries(Object.entries(keys(schema)).map(([key, makeShape]) => [key, makeShape()]))),
  ),
  results: keep(results),
});
