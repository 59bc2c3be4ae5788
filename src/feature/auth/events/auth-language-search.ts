import * as z from 'zod';
import { getAccess } from '../../../core/access.ts';
import { normalizeEmail } from '../../../core/text/email.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { listLanguages } from '../sql.ts';

export const authLanguageSearch = defineEvent({
  name: 'auth-language-search',
  description: 'Finds the languages that accounts keep, for mails to them. For code that runs as the system.',
  kind: 'silent',
  stage: () =>
    z.object({ emails: z.array(z.string().catch('')).optional().catch([]).describe('List of e-mail addresses.') }),
  results: () =>
    z
      .object({ languages: z.record(z.string(), z.string()) })
      .describe('`languages`: the tag by e-mail address in canonical form, of accounts that keep a language.'),
  async run({ emails = [] }, { services }) {
    // Anybody else would learn who has an account.
    if (getAccess().kind !== 'system') {
      return reject({ status: 403, message: 'Only code that runs as the system finds languages.' });
    }
    const found = emails.length === 0 ? [] : await listLanguages(services.database, emails);
    const languages = found.map((row) => [normalizeEmail(String(row.auth_slug)), String(row.auth_language)]);
    return { languages: Object.fromEntries(languages) };
  },
});
