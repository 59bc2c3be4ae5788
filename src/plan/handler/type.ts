import type { Meta } from '../../core/bus/followers.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import type { Access } from '../../model/shape.ts';
import type { ReadOnly, ResultsOf, SchemaName, StageOf } from '../emit/typed-emit.ts';
import type { HandwrittenCall } from '../handwritten.ts';
import type { InputOf, OutputOf } from './standard-schema.ts';

type AnyStage = Readonly<Record<string, unknown>>;

/** The request and the response of a handler. */
export interface HandlerExchange {
  /** The request, with all that the client sent. */
  readonly request: Request;
  /** The response, for a status, a header, a message or an error. */
  readonly response: Response;
}

/**
 * What a handler gets where `(request, response)` was the form before: the values, and the methods of the request or the response beside
 * them, so that older code compiles as it is. A value hides a method of the same name.
 */
type WithMethods<Values, Methods> = string extends keyof Values
  ? Values & Methods
  : [keyof Values & keyof Methods] extends [never]
    ? Values & Methods
    : Values & Omit<Methods, keyof Values>;

/** What a handler gets third. */
type Handler<Stage, Exchange, Result> = (stage: Stage, exchange: Exchange, meta: Meta) => Result | PromiseLike<Result>;

/** What a handler may return beside results: it is sent, or it says nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that ends early returns nothing.
type OtherAnswer = globalThis.Response | NodeJS.ReadableStream | ReadableStream | Response | false | undefined | void;

/** What a handler returns whose results have a shape. Without one: anything. */
type ResultFor<Shape> = unknown extends InputOf<Shape> ? unknown : ReadOnly<InputOf<Shape>> | OtherAnswer;

type ParameterName<Segment extends string> = Segment extends `:${infer Name}` ? Name : never;
type ParameterNames<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParameterName<Segment> | ParameterNames<Rest>
  : ParameterName<Path>;

/** The parameters of a path: of `/talk/:talk_id` the text `talk_id`. */
export type PathStage<Path extends string> = string extends Path
  ? AnyStage
  : { readonly [Name in ParameterNames<Path>]: string };

/** The stage as a shape gives it; without a shape, any keys. */
type ShapeStage<Shape> = [Shape] extends [undefined] ? AnyStage : Readonly<OutputOf<Shape>>;

/** Options of a route. */
export interface RouteOptions<Stage extends object | undefined = object | undefined> {
  /** Shape of the stage: zod, another library of Standard Schema, or JSON Schema. A wrong value is 422. Default: any. */
  readonly stage?: Stage;
  /** A higher one runs first. Default 0. */
  readonly priority?: number;
}

/** The handler of a route with options. */
export type RouteHandler<Path extends string, Stage> = Handler<
  // A parameter that the shape names is as the shape gives it.
  (string extends keyof ShapeStage<Stage> ? PathStage<Path> : Omit<PathStage<Path>, keyof ShapeStage<Stage>>) &
    ShapeStage<Stage>,
  HandlerExchange,
  unknown
>;

/** A hand-written call that says a shape. */
export type ShapedCall<Path extends string, Who extends Access, Body, Answer> = Omit<
  HandwrittenCall,
  'path' | 'access' | 'body' | 'answer'
> & { readonly path: Path; readonly access: Who } & (
    | { readonly body: Body; readonly answer?: Answer }
    | { readonly body?: Body; readonly answer: Answer }
  );

/** The handler of a hand-written call that says a shape. */
export type CallHandler<Path extends string, Who extends Access, Body, Answer> = Handler<
  WithMethods<
    PathStage<Path> & ShapeStage<Body> & (Who extends 'user' ? { readonly profile_id: number } : unknown),
    Request
  >,
  HandlerExchange & Response,
  ResultFor<Answer>
>;

/** Options of an event that the project's code declares. */
export interface EventOptions<
  Stage extends object | undefined = object | undefined,
  Results extends object | undefined = object | undefined,
> {
  /** Shape of the stage: zod, another library of Standard Schema, or JSON Schema. A wrong value is 422. Default: any. */
  readonly stage?: Stage;
  /** Shape of the results, for the types and `treadle events`. Default: any. */
  readonly results?: Results;
  /** One sentence for `treadle events` and the docs. */
  readonly description?: string;
}

/** The handler of an event that the project's code declares. */
export type EventHandler<Stage, Results> = Handler<ShapeStage<Stage>, HandlerExchange, ResultFor<Results>>;

/** Refuses a schema that the project does not have. */
type SchemaCheck<S extends string> = [SchemaName] extends [never]
  ? unknown
  : string extends S
    ? unknown
    : S extends SchemaName
      ? unknown
      : { readonly schema: SchemaName };

interface SchemaChoice<S extends string> {
  /** A schema or several: those of the stage's `schema`, or of one of the two ends of a link. Default: every event. */
  readonly schema?: S | readonly S[];
}

/** Options of `app.on`. */
export type OnOptions<S extends string = string> = SchemaChoice<S> & {
  /** A higher one runs first. Default 0. */
  readonly priority?: number;
} & SchemaCheck<S>;

/** Options of `app.after` with a typed handler. */
export type FollowOptions<S extends string> = SchemaChoice<S> & SchemaCheck<S>;

type StageFor<E, S> = E extends string ? StageOf<E, S> : AnyStage;
type ResultsFor<E, S extends string> = E extends string ? ResultsOf<E, S> : unknown;
type PartOf<T> = T extends unknown ? { readonly [K in keyof T]?: T[K] } : never;
type PartFor<R> = unknown extends R ? unknown : PartOf<R> | OtherAnswer;

/** The handler of `app.on` with options. The stage is as it was sent: a key may be missing. */
export type OnHandler<E, S extends string> = Handler<
  PartOf<StageFor<E, S>> & (string extends S ? unknown : { readonly schema: S }),
  HandlerExchange,
  PartFor<ResultsFor<E, S>> | (unknown extends ResultsFor<E, S> ? unknown : string)
>;

/** What a handler of `app.after` gets of an event. */
export interface FollowExchange<Row = unknown> extends HandlerExchange {
  /** The results: the whole row. */
  readonly row: Row;
  /** The row before an update, a removal or a restoration; undefined for other events. */
  readonly before: Row | undefined;
}

/** What the handler of `app.after` sets in the results: columns as they are, and any other keys. */
type Additions<Row> = unknown extends Row
  ? unknown
  : (PartOf<Row> & AnyStage) | OtherAnswer | boolean | number | string | null;

/** The handler of `app.after` with options. */
export type FollowHandler<E, S extends string> = Handler<
  WithMethods<StageFor<E, S>, Request>,
  FollowExchange<ResultsFor<E, S>> & Response,
  Additions<ResultsFor<E, S>>
>;
