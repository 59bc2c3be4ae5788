import { getResults, withApplication } from '../application.ts';
import { type CommandSpec, isOn } from '../spec.ts';

/** A slow search, as `slow-search` returns it. */
interface SlowView {
  readonly search: string;
  readonly count: number;
  readonly worst: number;
  readonly mean: number;
  readonly seen: string;
  readonly plan: string | null;
  readonly remedy: string | null;
  readonly index: { readonly state: string; readonly command: string; readonly tried: boolean | null } | null;
}

const TRIED = 'Tried on a copy of the statistics: the database would use it.';
const UNTRIED = 'Not tried: this database cannot plan on a copy of its statistics.';

function toIndexLines({ index, remedy }: SlowView): string[] {
  if (index?.state === 'there')
    return ['The schema has this index now. Type treadle slow --clear, and see whether the search is slow again.'];
  if (index?.state === 'proposed') return [remedy ?? '', index.tried === null ? UNTRIED : TRIED];
  return remedy === null ? [] : [remedy];
}

const toLines = (view: SlowView): string[] => {
  const { search, count, worst, mean, seen, plan } = view;
  const times = count === 1 ? 'once' : `${count} times`;
  const figures = `${times}, worst ${worst} ms, on average ${mean} ms, last ${seen} UTC`;
  const rest = [figures, ...(plan === null ? [] : [`The database ${plan}.`]), ...toIndexLines(view)];
  return [search, ...rest.map((line) => `  ${line}`)];
};

export const command: CommandSpec = {
  options: [{ name: 'clear', description: 'forgets them all, for example once an index was added' }],
  isWriting: true,
  examples: ['treadle slow', 'treadle slow --json', 'treadle slow --clear'],
  run: (invocation) =>
    withApplication(invocation, async (app) => {
      const { rows } = await getResults<{ readonly rows: readonly SlowView[] }>(app, 'slow-search', {});
      if (!isOn(invocation.values, 'clear')) {
        const next = [...new Set(rows.flatMap(({ index }) => (index?.state === 'proposed' ? [index.command] : [])))];
        const lines = rows.flatMap((view, at) => [...(at === 0 ? [] : ['']), ...toLines(view)]);
        return { data: { rows }, lines: rows.length === 0 ? ['No slow searches.'] : lines, next };
      }
      const { isDryRun } = invocation;
      const count = isDryRun
        ? rows.length
        : (await getResults<{ readonly removed: number }>(app, 'slow-remove', {})).removed;
      const what = count === 1 ? '1 slow search' : `${count} slow searches`;
      return { data: { isDryRun, removed: count }, lines: [`${isDryRun ? 'Would forget' : 'Forgot'} ${what}.`] };
    }),
};
