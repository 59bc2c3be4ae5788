import type { Context } from '../plan/feature.ts';

/** What answers a request: a route's event, or the methods that its path allows instead. */
export type Target =
  | { readonly event: string; readonly route: string | undefined }
  | { readonly allow: readonly string[] };

function listMethods(context: Context, path: string): string[] {
  const found = context.plan.bus.methods(path);
  if (found.length === 0) return [];
  const all = found.includes('ALL') ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : found;
  return [...new Set([...all, ...(all.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
}

export function findTarget(context: Context, method: string, path: string): Target {
  const { bus } = context.plan;
  const event = `${method} ${path}`;
  const heard = bus.find(event);
  if (heard) return { event, route: heard.route };
  const read = method === 'HEAD' ? bus.find(`GET ${path}`) : undefined;
  if (read) return { event: `GET ${path}`, route: read.route };
  return { allow: listMethods(context, path) };
}
