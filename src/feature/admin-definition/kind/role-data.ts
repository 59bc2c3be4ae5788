import { OPEN_ANSWERS, type OpenAnswer } from '../../../access/open.ts';
import { ProblemsError } from '../../../core/errors.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Change } from '../../../edit/change.ts';
import { type Role, toFile } from '../../../model/shape.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { renderOutcome, toStatus } from '../outcome.ts';
import { type Outcome, proposeValues, readSubmission, submit } from '../submit.ts';
import type { FormFacts } from './control.ts';
import { toSavedText } from './edit.ts';
import { readFacts, toPath } from './page.ts';
import { type FormValues, toText } from './read-form.ts';
import { listClosing, listNewlyRuled, listRoleChanges, type NewlyRuled, toRolesAfter } from './role-change.ts';
import { readMatrix } from './role-matrix.ts';
import { findRole, showRole } from './role-page.ts';
import { createQuestion, listTables } from './role-table.ts';

/** What a save of rules ended with, and what a page shows of it. */
export interface SavedRules {
  readonly outcome: Outcome | undefined;
  readonly data: Row;
}

/** A role with its new rules, and the page of the form that changes them. */
export interface RuledRole {
  readonly role: Role;
  readonly home: string;
}

/** What stays open of the schemas that a role begins to rule, as the form says; `close` of older forms is `none`. */
function readChoices(posted: FormValues, ruled: readonly NewlyRuled[]) {
  const given = (typeof posted.open === 'object' && posted.open !== null ? posted.open : {}) as FormValues;
  const read = (schema: string): OpenAnswer | undefined => {
    const text = toText(given[schema]);
    return text === 'close' ? 'none' : OPEN_ANSWERS.find((each) => each === text);
  };
  const found = ruled.flatMap(({ schema }) => {
    const answer = read(schema);
    return answer === undefined ? [] : [[schema, answer] as const];
  });
  return { answers: new Map(found), isAnswered: found.length === ruled.length };
}

/** The calls that would close; none where the change is invalid anyway. */
async function findClosing(context: Context, facts: FormFacts, changes: readonly Change[]): Promise<Row[]> {
  try {
    return await listClosing(context, facts, changes);
  } catch (error) {
    if (error instanceof ProblemsError) return [];
    throw error;
  }
}

/**
 * Saves the changed rules of a role. If they close a schema to other people, it names the calls that would close and asks first.
 */
export async function saveRules(
  context: Context,
  exchange: Exchange,
  facts: FormFacts,
  { role, home }: RuledRole,
): Promise<SavedRules> {
  const posted = exchange.request.getPost() as FormValues;
  const ruled = await listNewlyRuled(context, facts, role);
  const { answers, isAnswered } = readChoices(posted, ruled);
  const after = toRolesAfter(facts, role, { ruled, answers });
  const changes = listRoleChanges(facts, after);
  const closing = await findClosing(context, facts, changes);
  const given = readSubmission(posted);
  const isSure = toText(posted.sure) === '1';
  const mustAsk = !given.isPreview && (!isAnswered || (closing.length > 0 && !isSure));
  const submission = mustAsk ? { ...given, isPreview: true } : given;
  const file = toFile('role', role.slug);
  const outcome = await submit(context, {
    by: { ...exchange, home },
    submission,
    title: translate('Changed the rules of {file}', { file }),
    file,
    propose: () => proposeValues(context, changes),
  });
  const isNothing = !mustAsk && !submission.isPreview;
  const data = {
    questions: ruled.map((each) => createQuestion(facts, role, { each, ruled, answers })),
    tables: isNothing ? [] : listTables(facts, after, ruled),
    closing,
    isAsking: mustAsk,
    outcome: renderOutcome(context, exchange, { outcome, submission }),
    ...(posted.base === undefined ? {} : { state: toText(posted.base) }),
  };
  return { outcome, data };
}

/** Leads to the role's page after a save. True if the answer leads to another page: there, or to the one that asks for the password. */
export function leadAfter(exchange: Exchange, role: Role, { outcome }: SavedRules): boolean {
  if (outcome?.state === 'unproven') return true;
  if (outcome?.state !== 'saved') return false;
  flash(exchange, toSavedText(toFile('role', role.slug), outcome.advice));
  exchange.response.setRedirect(toPath('role', 'detail', role.slug));
  return true;
}

/** Saves the matrix of a role. */
export async function postMatrix(context: Context, exchange: Exchange): Promise<void> {
  const facts = await readFacts(context);
  const role = findRole(context, exchange, facts);
  if (role === undefined) return;
  const posted = exchange.request.getPost() as FormValues;
  const matrix = (typeof posted.data === 'object' && posted.data !== null ? posted.data : {}) as FormValues;
  const home = toPath('role', 'detail', role.slug);
  const saved = await saveRules(context, exchange, facts, { role: readMatrix(role, matrix), home });
  if (leadAfter(exchange, role, saved)) return;
  exchange.response.setStatus(saved.data.isAsking === true ? 422 : toStatus(saved.outcome));
  await showRole(context, exchange, { ...saved.data, posted: matrix });
}
