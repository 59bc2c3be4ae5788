import type { OutgoingHttpHeaders } from 'node:http';
import { findOpenHeaders } from '../../plan/open-origin.ts';
import type { Exchange } from '../exchange.ts';
import { addVary } from './encoding.ts';

/** An answer that has said already who may read it. */
const isMarked = (headers: OutgoingHttpHeaders): boolean =>
  headers['access-control-allow-origin'] !== undefined || /\borigin\b/i.test(String(headers.vary ?? ''));

/** Lets pages of any origin read that nothing is at an address. Without it a browser shows them a network error. */
export function addOpenHeaders(headers: OutgoingHttpHeaders, { context, req }: Exchange): void {
  if (isMarked(headers)) return;
  const { vary, ...open } = findOpenHeaders(context.plan.model, req.headers.origin);
  Object.assign(headers, open);
  if (vary !== undefined) addVary(headers, vary);
}
