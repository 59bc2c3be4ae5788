import { compareReach, OPEN_ANSWERS, type OpenAnswer, type ReachRow } from '../../../access/open.ts';
import type { Door } from '../../../access/page-doors.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { APP, GUEST, USER } from '../../../model/role/role.ts';
import type { Role } from '../../../model/shape.ts';
import type { FormFacts } from './control.ts';
import { type NewlyRuled, toRoles, toRolesAfter } from './role-change.ts';

/** Places that a question names. */
const MOST_PLACES = 8;

function toWho(slug: string): string {
  if (slug === GUEST) return translate('everybody, visitors too');
  if (slug === USER) return translate('everybody who is logged in');
  return slug === APP ? translate('calls of apps') : '';
}

const toRowView = ({ who, before, after, loses, gains }: ReachRow): Row => ({
  who,
  about: toWho(who),
  before: before.join(', '),
  after: after.map((action) => ({ action, isGained: gains.includes(action) })),
  loses: loses.join(', '),
});

/** Who may do what with each schema that a change concerns: only rows that differ, and those of everybody. */
export function listTables(facts: FormFacts, after: ReadonlyMap<string, Role>, ruled: readonly NewlyRuled[]): Row[] {
  const before = toRoles(facts);
  const changed = [...after].filter(([slug, role]) => before.get(slug) !== role);
  const names = changed.flatMap(([slug, role]) => [
    ...Object.keys(role.data ?? {}),
    ...Object.keys(before.get(slug)?.data ?? {}),
  ]);
  return [...new Set(names)].flatMap((schema): Row[] => {
    const doors = ruled.find((each) => each.schema === schema)?.doors ?? [];
    const rows = compareReach(schema, { before, after, doors });
    if (rows.every(({ loses, gains }) => loses.length + gains.length === 0) && doors.length === 0) return [];
    return [{ schema, rows: rows.map(toRowView), isLosing: rows.some(({ loses }) => loses.length > 0) }];
  });
}

function toAnswerText(answer: OpenAnswer): string {
  if (answer === 'keep') return translate('Everybody keeps reading, users keep writing and linking (recommended)');
  return answer === 'calls' ? translate('Only what API calls do') : translate('Nobody else');
}

/** What an answer takes from whom, in words. */
function toEffect(rows: readonly ReachRow[]): string {
  const losing = rows.filter(({ loses }) => loses.length > 0);
  if (losing.length === 0) return translate('Nobody loses anything.');
  const texts = losing.map(({ who, loses }) => `${who}: ${loses.join(', ')}`);
  return translate('Lost: {what}.', { what: texts.join('; ') });
}

const toPlaces = (doors: readonly Door[]): string[] => {
  const places = [
    ...new Set(
      doors
        .filter(({ kind }) => kind !== 'admin')
        .map(({ role, actions, by }) => `${role}: ${actions.join(', ')} (${by})`),
    ),
  ];
  return places.length > MOST_PLACES ? [...places.slice(0, MOST_PLACES), `+${places.length - MOST_PLACES}`] : places;
};

/** The question what stays open of a schema, with the effect of each answer. */
export function createQuestion(
  facts: FormFacts,
  role: Role,
  {
    each: { schema, doors },
    ruled,
    answers,
  }: {
    readonly each: NewlyRuled;
    readonly ruled: readonly NewlyRuled[];
    readonly answers: ReadonlyMap<string, OpenAnswer>;
  },
): Row {
  const before = toRoles(facts);
  const chosen = answers.get(schema) ?? 'keep';
  return {
    schema,
    name: `open[${schema}]`,
    places: toPlaces(doors),
    answers: OPEN_ANSWERS.map((answer) => {
      const after = toRolesAfter(facts, role, { ruled, answers: new Map(answers).set(schema, answer) });
      return {
        value: answer,
        label: toAnswerText(answer),
        isChosen: answer === chosen,
        effect: toEffect(compareReach(schema, { before, after, doors })),
      };
    }),
  };
}
