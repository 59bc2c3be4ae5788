import type { RequestSource } from '../core/request-source.ts';
import type { Body } from './body.ts';
import type { Exchange } from './exchange.ts';
import type { OpenSession } from './session.ts';
/** The request's parts, each created on first use. */
export declare function toSource(exchange: Exchange, body?: Body, session?: OpenSession): RequestSource;
