import { compilePattern, toExample } from '../core/bus/pattern.ts';
import type { Problem } from '../core/errors.ts';
import type { CompiledPlan } from '../plan/compile.ts';

const ROUTE = /^([A-Z]+) (\/.*)$/;
/** Paths of Treadle that a message names; the rest is counted. */
const MOST_NAMED = 4;
const FIRST = ['auth', 'rest', 'dialog', 'developer'];

/** True if the pattern's first segment is open: a fixed one, as in `/auth/login`, replaces a page on purpose. */
const isOpen = (path: string): boolean => /^\/(?::[A-Za-z_]\w*|[^/]*\*)/.test(path);

/** The first path of each section of Treadle, such as `/auth/login` for `/auth`. */
function listSections(paths: readonly string[]): string[] {
  const sections = new Map<string, string>();
  for (const path of paths) {
    const first = path.split('/')[1] ?? '';
    if (first !== '' && !sections.has(first)) sections.set(first, path);
  }
  // The sections that hurt most come first.
  return [...new Set([...FIRST, ...sections.keys()])].flatMap((first) => sections.get(first) ?? []);
}

/**
 * Routes of the project for any path, which answer before Treadle's own: its log-in, its calls, its docs. One with a
 * priority only looks on, as middleware does, so it is not reported.
 */
export function findSwallowed(plan: CompiledPlan): Problem[] {
  return plan.draft.registered.flatMap((entry): Problem[] => {
    const [, method = '', path = ''] = ROUTE.exec(entry.event) ?? [];
    if (entry.priority !== 0 || !isOpen(path)) return [];
    const pattern = compilePattern(path);
    const taken = plan.routes
      .filter(
        (route) => route.isFirst !== true && (method === 'ALL' || route.method === 'ALL' || route.method === method),
      )
      .map((route) => route.path)
      .filter((own) => pattern.match(toExample(own)) !== undefined);
    const all = listSections([...new Set(taken)].sort());
    if (all.length === 0) return [];
    const [, file = 'app', line] = /^(.*):(\d+)$/.exec(entry.place ?? '') ?? [];
    const more = all.length - MOST_NAMED;
    const named = `${all.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const hint = [
      'A not-found page of your own is app/www/src/template/404.html.',
      `A listener that only looks on has a priority: app.route('${method.toLowerCase()}', '${path}', listener, 10).`,
    ].join(' ');
    return [
      {
        code: 'PLAN_ROUTE_SWALLOWS',
        file,
        path: '',
        ...(line === undefined ? {} : { line: Number(line) }),
        message: `${entry.event} answers before Treadle's ${named}.`,
        hint,
        // A page for any single segment mostly leaves names that it does not know to others.
        severity: taken.some((own) => own.split('/').length > 2) ? 'warning' : 'advice',
      },
    ];
  });
}
