import { asSystem } from '../../core/access.ts';
import { planMigration } from '../../database/migration.ts';
import { isApplicable, isBlocked, type MigrationStep } from '../../database/migration-step.ts';
import { createTables } from '../../database/table.ts';
import type { Change } from '../../edit/api-change/change.ts';
import { compareApis } from '../../edit/api-change/compare.ts';
import { type Proposal, type ProposedFile, toDefinitionsAfter } from '../../edit/proposal.ts';
import type { Definitions } from '../../model/definitions.ts';
import { linkModel } from '../../model/link.ts';
import type { Model } from '../../model/model.ts';
import type { Context, Plan } from '../../plan/feature.ts';
import type { ReloadMigration } from '../../plan/reload-migration.ts';
import { readProject } from '../../project/read.ts';

/** A step of the migration that a change means. */
export interface ReviewedStep {
  readonly words: string;
  /** `lose`: it deletes data, and is done only if somebody allows it. */
  readonly level: MigrationStep['class'];
  readonly rows: number;
  /** Why it cannot be done; absent if it will be done. */
  readonly refusal?: string;
  /** Whether the definitions cannot be served without it. */
  readonly isNeeded: boolean;
  /** Name of the value for existing rows that would make it possible: `article.author`. */
  readonly asks?: string;
}

/** What a change of definitions means. */
export interface Review {
  readonly files: readonly ProposedFile[];
  readonly steps: readonly ReviewedStep[];
  /** True if the change cannot be saved like this: a needed step lacks a value or a permission. */
  readonly isBlocked: boolean;
  /** True if a step deletes data that stays otherwise. */
  readonly isLosing: boolean;
  /** Changes of the API that clients see, worst first. */
  readonly api: readonly Change[];
  /** Lines of code and templates that still name what is gone. */
  readonly left: Proposal['left'];
}

/** Permissions of who saves. Default: no loss, no values. */
export const NO_PERMISSION: ReloadMigration = { allowLoss: false, defaults: new Map() };

function toStep({ words, class: level, rowsAtRisk, refusal, isNeeded, asks }: MigrationStep): ReviewedStep {
  return {
    words,
    level,
    rows: rowsAtRisk,
    isNeeded,
    ...(refusal === undefined ? {} : { refusal: [refusal.message, refusal.hint].filter(Boolean).join(' ') }),
    ...(refusal === undefined || asks === undefined ? {} : { asks }),
  };
}

/** The migration from the database as it is to a model. It only reads. */
async function reviewMigration({ services, plan }: Context, model: Model, permissions: ReloadMigration) {
  const { database } = services;
  const tables = createTables(model, plan.tables, { dialect: database.dialect });
  const planned = await asSystem(() => planMigration(database, tables, permissions));
  return {
    steps: planned.steps.map(toStep),
    isBlocked: isBlocked(planned),
    isLosing: planned.steps.some((step) => step.class === 'lose'),
    isWhole: planned.steps.every(isApplicable),
  };
}

/** The plan with the definitions of another model; what the project's code adds stays. */
function createPlan(plan: Plan, model: Model): Plan {
  const calls = [...model.calls.values()].map((call) => ({ ...call, handler: undefined }));
  const own = plan.hooks.filter((hook) => plan.model.hooks.get(hook.name) !== hook);
  return {
    ...plan,
    model,
    calls: [...calls, ...plan.calls.filter(({ handler }) => handler !== undefined)],
    hooks: [...model.hooks.values(), ...own],
  };
}

/** The changes of the API between the plan that is served and a model. */
function reviewApi({ services, plan }: Context, before: Model, after: Model): Change[] {
  const settings = plan.model.settings;
  const [was, is] = [before, after].map((model) => services.describeApi(createPlan(plan, { ...model, settings })));
  return was === undefined || is === undefined ? [] : compareApis(was, is);
}

const NO_MIGRATION = { steps: [], isBlocked: false, isLosing: false };

/** The model of definitions; undefined if they have an error. */
const linkDefinitions = (definitions: Definitions): Model | undefined =>
  linkModel(definitions, { leavesCalls: true }).model;

/** Finds out what a proposal means: for the database, for clients of the API, and for the project's code. */
export async function reviewProposal(
  context: Context,
  proposal: Proposal,
  permissions: ReloadMigration = NO_PERMISSION,
): Promise<Review> {
  const { definitions } = await readProject(context.services.root);
  const [before, after] = [linkDefinitions(definitions), linkDefinitions(toDefinitionsAfter(definitions, proposal))];
  const {
    steps,
    isBlocked: isHeld,
    isLosing,
  } = after ? await reviewMigration(context, after, permissions) : NO_MIGRATION;
  const api = before && after ? reviewApi(context, before, after) : [];
  return { files: proposal.files, steps, isBlocked: isHeld, isLosing, api, left: proposal.left };
}
