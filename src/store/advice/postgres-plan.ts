import type { ReadPlan } from './plan.ts';

/** A node of `explain (format json)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Plan Rows'?: number;
  readonly Plans?: readonly PlanNode[];
}

const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];

type Step = Omit<ReadPlan, 'isSorted' | 'all'>;

function toStep(node: PlanNode, all: number | undefined): Step {
  const index = listNodes(node).find((each) => each['Index Name'] !== undefined)?.['Index Name'];
  if (node['Node Type'].endsWith('Seq Scan')) return { way: 'all', index: undefined, rows: all };
  return { way: index?.endsWith('_pkey') ? 'key' : 'index', index, rows: node['Plan Rows'] };
}

const toWeight = ({ rows = Number.POSITIVE_INFINITY }: Step): number => rows;

/** The plan of a statement: its step with the most rows of the searched table. */
export function toPostgresPlan(plans: unknown, table: string, all: number | undefined): ReadPlan | undefined {
  const [first]: readonly { readonly Plan: PlanNode }[] = Array.isArray(plans) ? plans : [];
  const nodes = first === undefined ? [] : listNodes(first.Plan);
  const steps = nodes.filter((node) => node['Relation Name'] === table).map((node) => toStep(node, all));
  const [most] = steps.sort((a, b) => toWeight(b) - toWeight(a));
  return most && { ...most, all, isSorted: nodes.some((node) => /^(?:Incremental )?Sort$/.test(node['Node Type'])) };
}
