import { TreadleError } from '../../../core/errors.ts';
import { toObject } from '../../../core/record.ts';
import { runForJson } from '../command-run.ts';
import { refuseProduction } from '../production.ts';
import type { Tool } from '../tool.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isLoss = (step: unknown): boolean => toObject(step).class === 'lose';

/** A step in words, without its statements. */
const toStep = (step: unknown): object => {
  const { words, class: kind, refusal, asks } = toObject(step);
  return { words, kind, ...(refusal === undefined ? {} : { refusal }), ...(asks === undefined ? {} : { asks }) };
};

/** @throws MCP_MIGRATION_NEEDS_PERSON if a step could lose data, or is code of the project, or is refused. */
function refuseUnsafe(plan: Readonly<Record<string, unknown>>): void {
  const isSafe = listOf(plan.refused).length + listOf(plan.own).length === 0 && !listOf(plan.steps).some(isLoss);
  if (isSafe) return;
  throw new TreadleError(
    'MCP_MIGRATION_NEEDS_PERSON',
    'Nothing was migrated: a step would lose data, asks for a value, or is code of the project.',
    { status: 409, hint: 'A person must run `treadle migrate`, or `treadle migrate --allow-loss`, at a terminal.' },
  );
}

export const migrate: Tool = {
  name: 'migrate',
  description:
    'What the database lacks, as steps. `apply` does it only if nothing can be lost; anything else needs a person at a terminal.',
  inputSchema: { type: 'object', properties: { apply: { type: 'boolean' } } },
  isReadOnly: false,
  async run({ apply }, invocation) {
    await refuseProduction(invocation);
    const plan = toObject(await runForJson(invocation, ['migrate', '--dry-run'], true));
    if (plan.code !== undefined) return runForJson(invocation, ['migrate', '--dry-run']);
    if (apply === true) refuseUnsafe(plan);
    const told = apply === true ? toObject(await runForJson(invocation, ['migrate'])) : plan;
    const [steps, refused, left] = [told.steps, told.refused, told.left].map((list) => listOf(list).map(toStep));
    return { applied: apply === true, steps, refused, left, own: told.own, drift: told.drift };
  },
};
