import type { Problem } from '../../core/errors.ts';
import type { CallPlan, Facts } from '../../plan/feature.ts';

/** Events about jobs, mails, slow searches, deliveries and apps of everybody: they know no account to which a user call could be held. */
const OF_EVERYBODY =
  /^(?:job-(?:search|detail|figures|retry)|mail-(?:search|figures|retry)|slow-(?:search|remove)|webhook-.+|app-.+|oauth-.+|rest-(?:access|resource|source-.+)|history-definition.*)$/;

/** True if a user call refuses its event, because it would tell one user of everybody. */
export const isRefusedToUsers = ({ definition: { access, event }, handler }: CallPlan): boolean =>
  access === 'user' && handler === undefined && OF_EVERYBODY.test(event);

export const REFUSED_TO_USERS = 'A user call cannot use this event: it tells of everybody.';

/** Advice on user calls that always answer 403. */
export function adviseUserEvents({ calls }: Facts): Problem[] {
  return calls.filter(isRefusedToUsers).map(({ definition: { event }, name, file }) => ({
    code: 'REST_EVENT_OF_EVERYBODY',
    file,
    path: 'event',
    message: `The user call "${name}" always answers 403, because "${event}" tells of everybody.`,
    hint: "Make it an app call in an app scope with \"approval\": true, or write it by hand: app.rest({ access: 'user', … }) that emits the event by app.asSystem and keeps what is the user's.",
    severity: 'advice',
  }));
}
