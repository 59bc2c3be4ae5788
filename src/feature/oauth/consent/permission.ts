import { toLocalText, translate } from '../../../core/text/translate.ts';
import { type FlatRelation, type FlatRelationColumn, listAlong } from '../../../plan/along.ts';
import type { CallPlan, Context } from '../../../plan/feature.ts';

/** A scope as shown in the dialog: its description, and the calls it allows. */
export interface Permission {
  readonly slug: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Whether it needs approval by the site's operator. */
  readonly isApproved: boolean;
  readonly calls: readonly {
    readonly title: string;
    readonly method: string;
    readonly path: string;
    /** Columns of other schemas in its answers, by their names in a row. */
    readonly along: readonly string[];
  }[];
  /** What 1:1 relations bring into the answers of its calls: of what, and the labels of the columns. */
  readonly along: readonly { readonly row: string; readonly columns: string }[];
}

/** What the calls of a scope without a description do: "Search comments, get a comment." */
function toSentence([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  return `${[first, ...others.map((title) => title.charAt(0).toLowerCase() + title.slice(1))].join(', ')}.`;
}

/** The labels of what comes along with the answers of several calls, each once. */
function toAlong(found: readonly FlatRelation[]): Permission['along'] {
  const rows = new Map<string, Map<string, FlatRelationColumn>>();
  for (const { relation, target, columns } of found) {
    const singular = toLocalText(target.singular);
    const row = relation.name === target.name ? singular : `${singular} (${relation.name})`;
    const known = rows.get(row) ?? new Map<string, FlatRelationColumn>();
    rows.set(row, known);
    // If one call shows a column of everybody's rows, the scope does.
    for (const column of columns) {
      const { name } = column.model;
      if (known.get(name)?.isOwnersOnly !== false) known.set(name, column);
    }
  }
  const toLabel = ({ model, isOwnersOnly }: FlatRelationColumn): string => {
    const label = toLocalText(model.label);
    return isOwnersOnly ? translate('{label} (only yours)', { label }) : label;
  };
  return [...rows].map(([row, columns]) => ({ row, columns: [...columns.values()].map(toLabel).join(', ') }));
}

/** Describes a scope. An undefined one keeps its slug as name and allows nothing. */
export function describeScope({ plan }: Context, slug: string): Permission {
  const definition = plan.model.scopes.get(slug)?.definition;
  const calls = plan.calls.filter((call) => call.definition.access === 'user' && call.scopes.includes(slug));
  const found = new Map(calls.map((call): [CallPlan, readonly FlatRelation[]] => [call, listAlong(plan.model, call)]));
  const described = definition?.description ?? toSentence(calls.map((call) => toLocalText(call.definition.title)));
  return {
    slug,
    name: toLocalText(definition?.name ?? slug),
    description: described === undefined ? undefined : toLocalText(described),
    isApproved: definition?.approval === true,
    calls: calls.map((call) => ({
      title: toLocalText(call.definition.title),
      method: call.definition.method.toUpperCase(),
      path: call.path,
      along: (found.get(call) ?? []).flatMap(({ columns }) => columns.map(({ name }) => name)),
    })),
    along: toAlong([...found.values()].flat()),
  };
}
